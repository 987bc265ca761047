import { isObject, type JsonObject } from '../json/json-object.js';
import { remoteUrl } from './remote-kind.js';

/**
 * Returns the identity of a server, which consists of its command or address, and of its arguments, folder, variables
 * or headers. The same server with two accounts counts as two servers.
 */
export function endpointOf(entry: JsonObject): string {
  const { command, args, env, cwd, headers } = entry;
  const details = sortedEntries(typeof command === 'string' ? env : headers);
  return typeof command === 'string'
    ? JSON.stringify([command, ...(Array.isArray(args) ? args : []), cwd, details])
    : JSON.stringify([remoteUrl(entry), details]);
}

function sortedEntries(values: unknown): readonly unknown[] {
  return isObject(values) ? Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)) : [];
}
