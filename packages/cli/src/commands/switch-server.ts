import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, exitCodeOfRows, NOWHERE, type ChangeFlags } from './apply-change.js';
import { switched } from '../edit/switch-entry.js';
import { editConfig } from '../edit/write-config.js';
import { flagsOfHolder, mergedLocation } from './config-holder.js';

/** `mcpmux enable` makes mcpmux start the named servers of the config. */
export const enable: Action<ChangeFlags> = (...args) => switchServers(true, ...args);

/** `mcpmux disable` keeps mcpmux from starting the named servers of the config. */
export const disable: Action<ChangeFlags> = (...args) => switchServers(false, ...args);

async function switchServers(
  isOn: boolean,
  ...[context, names, flags]: Parameters<Action<ChangeFlags>>
): Promise<number> {
  const used = mergedLocation(context, flags);
  const edits = flagsOfHolder(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) =>
    names.reduce((text, name) => switched(config, text, name, isOn), config.text),
  );
  if (written) printNote(context, `${isOn ? 'Enabled' : 'Disabled'} ${names.join(', ')} in ${file}`);
  else if (flags.dryRun !== true) printNote(context, `${names.join(', ')}: nothing to change in ${file}`);
  const applied = written ? await applyChange(context, used ?? location, isOn ? names : [], flags) : NOWHERE;
  printResult(context, { names, on: isOn, file, written, ...applied });
  return exitCodeOfRows(applied.servers);
}
