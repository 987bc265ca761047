import { MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';

/**
 * Returns the server name for a key in a config, without the parts that are not valid in a server name. For example,
 * `my__server_` becomes `my_server`. Clients have other rules for keys.
 */
export function serverNameOf(key: string): string {
  const name = key.replaceAll(/_{2,}/g, '_').trim().slice(0, MAX_SERVER_NAME_LENGTH);
  return name.replace(/[_\s]+$/, '');
}
