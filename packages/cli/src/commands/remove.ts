import { ExitCode } from '../base/exit-code.js';
import { printResult, tell, type Action } from '../terminal/command-context.js';
import type { WriteFlags } from './config-choice.js';
import { namedEntry } from './named-server.js';
import { editConfig, editedConfig } from './write-config.js';

/** Removes servers from the config: all that are named, or none. */
export const remove: Action<WriteFlags> = async (context, names, flags) => {
  const { file, written } = await editConfig(context, flags, (config) => {
    const paths = names.map((name) => namedEntry(config.reading.entries, name, config.file).path);
    return paths.reduce((text, path) => editedConfig(config.file, text, path, undefined), config.text);
  });
  if (written) tell(context, `Removed ${names.join(', ')} from ${file}`);
  if (context.flags.json === true) printResult(context, { removed: names, file, written }, '');
  return ExitCode.Ok;
};
