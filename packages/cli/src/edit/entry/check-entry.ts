import type { JsonObject } from '@mcpmux/clients';
import { serverSchema } from '@mcpmux/config';
import { isServerName } from '@mcpmux/namespace';

import { CommandError, usageError } from '../../terminal/command-error.js';

/** @throws CommandError USAGE if the server name is invalid */
export function checkServerName(name: string): void {
  if (isServerName(name)) return;
  throw usageError(
    `"${name}" is no server name: a name has no "__", no control characters and no "_" at its end, and is not empty or too long.`,
    'choose another name, such as my-server',
  );
}

/** @throws CommandError INVALID_SERVER if the entry does not match the schema */
export function checkEntry(name: string, entry: JsonObject): void {
  const { error } = serverSchema.safeParse(entry);
  if (error === undefined) return;
  const details = error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new CommandError('INVALID_SERVER', `the entry of "${name}" is invalid; nothing was written.`, {
    details,
  });
}

/** Returns the error for a name that is already in the config. */
export function serverExistsError(name: string, file: string): CommandError {
  return new CommandError('SERVER_EXISTS', `${file} already has a server "${name}"; nothing was written.`, {
    next: 'choose another name, or replace it with --force',
  });
}
