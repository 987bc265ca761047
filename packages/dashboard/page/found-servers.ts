import { toneOf } from './parts.js';
import type { ServerView } from '../src/data/overview-shown.js';

/**
 * The maximum number of rows. A longer table takes more than a tenth of a second to lay out and is unreadable, so it
 * gets a filter.
 */
export const MAX_SERVERS = 100;

/**
 * Returns the servers whose name, state or failure reason contains a text. If there are too many, failed servers come
 * first.
 */
export function foundServers(servers: readonly ServerView[], filter: string): readonly ServerView[] {
  const text = filter.trim().toLowerCase();
  const found = text === '' ? servers : servers.filter((server) => textOf(server).includes(text));
  if (found.length <= MAX_SERVERS) return found;
  const isBad = ({ status }: ServerView): boolean => toneOf(status) === 'bad';
  return [...found.filter(isBad), ...found.filter((server) => !isBad(server))].slice(0, MAX_SERVERS);
}

function textOf({ name, workspace = '', status, last_error: error }: ServerView): string {
  return `${name}\n${workspace}\n${status}\n${error?.message ?? ''}`.toLowerCase();
}
