import { toneOf } from './parts.js';
import type { Server } from './overview.js';

/** A longer table is not laid out in a tenth of a second, and nobody reads it: it gets a filter. */
export const MAX_SERVERS = 100;

/** The servers whose name, state or reason of a failure contains a text. The failed ones come first if some are left out. */
export function foundServers(servers: readonly Server[], filter: string): readonly Server[] {
  const text = filter.trim().toLowerCase();
  const found = text === '' ? servers : servers.filter((server) => textOf(server).includes(text));
  if (found.length <= MAX_SERVERS) return found;
  const isBad = ({ status }: Server): boolean => toneOf(status) === 'bad';
  return [...found.filter(isBad), ...found.filter((server) => !isBad(server))].slice(0, MAX_SERVERS);
}

function textOf({ name, workspace = '', status, last_error: error }: Server): string {
  return `${name}\n${workspace}\n${status}\n${error?.message ?? ''}`.toLowerCase();
}
