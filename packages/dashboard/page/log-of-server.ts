import { serverKey } from './layers.js';
import type { LogLine } from './model.js';
import type { StoredLog } from './stored-log.js';

/**
 * The lines of one server: those that mcpmux stores, and those that came since. The page has lines of all servers
 * together, of which a server that writes little has few; where it has more than mcpmux stores, it has all of them.
 */
export function logOfServer(
  lines: readonly LogLine[],
  key: string,
  stored: StoredLog | undefined,
): readonly LogLine[] {
  const own = lines.filter((line) => serverKey(line) === key);
  if (stored === undefined) return own;
  const last = stored.lastEvents.get(key) ?? 0;
  const all = [...stored.lines, ...own.filter(({ sequence = 0 }) => sequence > last)];
  return all.length > own.length ? all : own;
}
