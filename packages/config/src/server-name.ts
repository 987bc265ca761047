import { MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';

/**
 * The name of a server of a config: its key, without the parts that a server name must not have. Keys of clients follow
 * other rules. `my__server_` becomes `my_server`.
 */
export function serverNameOf(key: string): string {
  const name = key.replaceAll(/_{2,}/g, '_').trim().slice(0, MAX_SERVER_NAME_LENGTH);
  return name.replace(/[_\s]+$/, '');
}
