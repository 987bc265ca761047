import type { ConfigEntry } from '@mcpmux/config';
import { didYouMean } from '@mcpmux/config/find';

import { CommandError } from '../terminal/command-error.js';

/**
 * Returns the entry with this server name, or with this key in the file.
 *
 * @throws CommandError SERVER_NOT_FOUND, which may suggest a similar name
 */
export function namedEntry(entries: readonly ConfigEntry[], name: string, file: string): ConfigEntry {
  const entry = entries.find((candidate) => candidate.name === name || candidate.path.at(-1) === name);
  if (entry !== undefined) return entry;
  throw serverNotFoundError(name, entries, `in ${file}`);
}

/** Returns the error for a name that no server has. */
export function serverNotFoundError(
  name: string,
  servers: readonly { readonly name: string }[],
  where: string,
): CommandError {
  const names = servers.map((server) => server.name);
  return new CommandError(
    'SERVER_NOT_FOUND',
    `there is no server "${name}" ${where}.${didYouMean(name, names)}`,
    {
      next:
        names.length === 0
          ? 'add one with: mcpmux add NAME -- COMMAND'
          : `the servers are: ${names.join(', ')}`,
    },
  );
}

/** Returns the error for a server that the running mcpmux's selection excludes. */
export function serverNotSelectedError(name: string, reason: string): CommandError {
  return new CommandError('SERVER_NOT_SELECTED', `the server "${name}" is not selected: ${reason}.`, {
    next: 'to start the server for this command alone, add --fresh',
  });
}
