import type { ConfigEntry, ConfigReading } from '@mcpmux/config';

import { ExitCode } from '../base/exit-code.js';
import { printResult, printNote, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { applyChange, NOWHERE, type ChangeFlags } from './apply-change.js';
import { flagsOfHolder, mergedLocation } from './config-holder.js';
import { namedEntry } from './named-server.js';
import { editConfig, editedConfig } from './write-config.js';

/** Removes servers from the config. Removes either all named servers or none. */
export const remove: Action<ChangeFlags> = async (context, names, flags) => {
  const used = mergedLocation(context, flags);
  const edits = flagsOfHolder(context, flags, names);
  const { location, file, written } = await editConfig(context, edits, (config) => {
    const paths = names.map((name) => entryPath(config, name, names));
    return paths.reduce((text, path) => editedConfig(config.file, text, path, undefined), config.text);
  });
  if (written) printNote(context, `Removed ${names.join(', ')} from ${file}`);
  const { instances } = written ? await applyChange(context, used ?? location, [], flags) : NOWHERE;
  if (context.flags.json === true) printResult(context, { removed: names, file, written, instances }, '');
  return ExitCode.Ok;
};

/** @throws CommandError SERVER_NOT_FOUND, which says that the other servers stay too */
function entryPath(
  { reading, file }: { readonly reading: ConfigReading; readonly file: string },
  name: string,
  { length }: readonly string[],
): ConfigEntry['path'] {
  try {
    return namedEntry(reading.entries, name, file).path;
  } catch (error) {
    if (!(error instanceof CommandError) || length === 1) throw error;
    const { code, message, ...more } = error.failure;
    throw new CommandError(code, `${message} Nothing was removed.`, more);
  }
}
