import type { ConfigEntry } from '@mcpmux/config';

import { namedEntry } from '../config/named-server.js';
import { CommandError } from '../terminal/command-error.js';
import { editedConfigText, type ConfigToEdit } from './write-config.js';

/**
 * Returns the config's text without the named servers.
 *
 * @throws CommandError SERVER_NOT_FOUND if the config lacks any of them
 */
export function withoutEntries(config: ConfigToEdit, names: readonly string[]): string {
  const paths = names.map((name) => entryPath(config, name, names));
  return paths.reduce((text, path) => editedConfigText(config.file, text, path, undefined), config.text);
}

/** @throws CommandError SERVER_NOT_FOUND. With several names, the message also says that nothing was removed. */
function entryPath(
  { reading, file }: ConfigToEdit,
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
