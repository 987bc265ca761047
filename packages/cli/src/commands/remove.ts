import { BundleFolders } from '../bundle/bundle-folders.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, UNAPPLIED, type ChangeFlags } from './apply-change.js';
import { flagsForServers, locationWithProject } from './config-holder.js';
import { withoutEntries } from '../edit/remove-entries.js';
import { editConfig } from '../edit/write-config.js';

/** Removes the named servers from the config. If any of them is missing from the config, removes none. */
export const remove: Action<ChangeFlags> = async (context, names, flags) => {
  const merged = locationWithProject(context, flags);
  const edits = flagsForServers(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) =>
    withoutEntries(config, names),
  );
  if (written) printNote(context, `Removed ${names.join(', ')} from ${file}`);
  const { instances } = written ? await applyChange(context, merged ?? location, [], flags) : UNAPPLIED;
  // The bundle folders are deleted last, because running servers use them until the change is applied.
  if (written) for (const name of names) new BundleFolders(file, name, context).deleteFolders();
  printResult(context, { removed: names, file, written, instances });
  return ExitCode.Ok;
};
