import { isObject, type JsonObject } from '../json/json-object.js';
import { remoteUrl } from './remote-kind.js';

/**
 * Returns a string that identifies a server by its command, arguments, folder and variables, or by its URL and headers.
 * Two entries with different credentials therefore count as two servers.
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
