import { type Clock, type Limits, waitAtMost } from '@mcpmux/kit';
import type { StartingServers } from '../../catalog/starting-servers.js';
import type { Upstream } from '../../server/upstream.js';

/** The dependencies of {@link firstList}. */
export interface FirstListParts {
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'firstListMs'>;
  readonly starting: Pick<StartingServers, 'settled'>;
  /** False if no list of tools waits for servers; true when absent. */
  readonly waitForServers?: boolean | undefined;
}

/**
 * Resolves when the first list of tools of a client can be answered; undefined if it can be now.
 *
 * Every client waits: many never look at their list again, and one that does may end before the next list.
 *
 * @param isMeant the servers whose tools the list has
 */
export function firstList(
  isMeant: (server: Upstream) => boolean,
  { waitForServers = true, starting, limits, clock }: FirstListParts,
): Promise<unknown> | undefined {
  if (!waitForServers) return undefined;
  const settled = starting.settled(isMeant);
  return settled && waitAtMost(limits.firstListMs, settled, clock);
}

/**
 * The same for a request without a connection, which may be its client's first or last. Only the first
 * `firstListMs` of a start count: a server that starts for longer holds no request up.
 */
export function listWithoutSession(
  isMeant: (server: Upstream) => boolean,
  parts: FirstListParts,
): Promise<unknown> | undefined {
  const { clock, limits } = parts;
  const isNew = ({ state }: Upstream): boolean =>
    state.kind === 'starting' && clock.now() < state.since + limits.firstListMs;
  return firstList((server) => isMeant(server) && isNew(server), parts);
}
