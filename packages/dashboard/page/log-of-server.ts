import { serverKey } from './layers.js';
import type { LogLine } from './model.js';
import type { StoredLog } from './stored-log.js';

/**
 * Returns the lines of one server, which are the lines that mcpmux stores and the lines since then. The page keeps the
 * lines of all servers together, so it has few lines of a server that writes little. If the page has more lines than
 * mcpmux stores, it has all of them.
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
