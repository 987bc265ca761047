import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { applyChange, NOWHERE, type ChangeFlags } from './apply-change.js';
import { withoutEntries } from '../edit/remove-entries.js';
import { editConfig } from '../edit/write-config.js';

/** Removes servers from the config. Removes either all named servers or none. */
export const remove: Action<ChangeFlags> = async (context, names, flags) => {
  const { location, file, written } = await editConfig(context, flags, (config) =>
    withoutEntries(config, names),
  );
  if (written) printNote(context, `Removed ${names.join(', ')} from ${file}`);
  const { instances } = written ? await applyChange(context, location, [], flags) : NOWHERE;
  printResult(context, { removed: names, file, written, instances });
  return ExitCode.Ok;
};
