import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import { applyChange, NOWHERE, type ChangeFlags } from './apply-change.js';
import { namedEntry } from './named-server.js';
import { editConfig, editedConfig } from './write-config.js';

/** Removes servers from the config: all that are named, or none. */
export const remove: Action<ChangeFlags> = async (context, names, flags) => {
  const { location, file, written } = await editConfig(context, flags, (config) => {
    const paths = names.map((name) => namedEntry(config.reading.entries, name, config.file).path);
    return paths.reduce((text, path) => editedConfig(config.file, text, path, undefined), config.text);
  });
  if (written) tell(context, `Removed ${names.join(', ')} from ${file}`);
  const { instances } = written ? await applyChange(context, location, [], flags) : NOWHERE;
  if (context.flags.json === true) printResult(context, { removed: names, file, written, instances }, '');
  return ExitCode.Ok;
};
