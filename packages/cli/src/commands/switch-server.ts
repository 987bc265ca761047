import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, exitCodeOfRows, UNAPPLIED, type ChangeFlags } from './apply-change.js';
import { withEnabledState } from '../edit/switch-entry.js';
import { editConfig } from '../edit/write-config.js';
import { flagsForServers, locationWithProject } from './config-holder.js';

/** Enables the named servers in the config, so that mcpmux starts them. */
export const enable: Action<ChangeFlags> = (...args) => switchServers(true, ...args);

/** Disables the named servers in the config, so that mcpmux does not start them. */
export const disable: Action<ChangeFlags> = (...args) => switchServers(false, ...args);

async function switchServers(
  isEnabled: boolean,
  ...[context, names, flags]: Parameters<Action<ChangeFlags>>
): Promise<number> {
  const merged = locationWithProject(context, flags);
  const edits = flagsForServers(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) =>
    names.reduce((text, name) => withEnabledState(config, text, name, isEnabled), config.text),
  );
  if (written) printNote(context, `${isEnabled ? 'Enabled' : 'Disabled'} ${names.join(', ')} in ${file}`);
  else if (flags.dryRun !== true) printNote(context, `${names.join(', ')}: nothing to change in ${file}`);
  const applied = written
    ? await applyChange(context, merged ?? location, isEnabled ? names : [], flags)
    : UNAPPLIED;
  printResult(context, { names, on: isEnabled, file, written, ...applied });
  return exitCodeOfRows(applied.servers);
}
