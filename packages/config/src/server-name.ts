import { MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';

/**
 * Converts a key in a config to a server name, because clients allow keys that are not valid server names. For example,
 * `my__server_` becomes `my_server`.
 */
export function serverNameOf(key: string): string {
  const name = key.replaceAll(/_{2,}/g, '_').trim().slice(0, MAX_SERVER_NAME_LENGTH);
  return name.replace(/[_\s]+$/, '');
}
