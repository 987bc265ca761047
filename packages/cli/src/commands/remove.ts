import { BundleFolders } from '../bundle/bundle-folders.js';
import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, NOWHERE, type ChangeFlags } from './apply-change.js';
import { flagsOfHolder, mergedLocation } from './config-holder.js';
import { withoutEntries } from '../edit/remove-entries.js';
import { editConfig } from '../edit/write-config.js';

/** Removes servers from the config. Removes either all named servers or none. */
export const remove: Action<ChangeFlags> = async (context, names, flags) => {
  const used = mergedLocation(context, flags);
  const edits = flagsOfHolder(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) =>
    withoutEntries(config, names),
  );
  if (written) printNote(context, `Removed ${names.join(', ')} from ${file}`);
  const { instances } = written ? await applyChange(context, used ?? location, [], flags) : NOWHERE;
  // The running servers have ended.
  if (written) for (const name of names) new BundleFolders(file, name, context).delete();
  printResult(context, { removed: names, file, written, instances });
  return ExitCode.Ok;
};
