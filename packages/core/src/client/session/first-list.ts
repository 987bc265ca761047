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
 * Resolves when a client's first list of tools can be answered. Returns undefined if it can be answered now.
 *
 * Every client waits, because many clients never request the list again, and others may end before they do.
 *
 * @param isMeant true for the servers whose tools are in the list
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
 * Like {@link firstList}, for a request without a connection, which may be its client's first or last. Only servers
 * that started less than `firstListMs` ago delay the request.
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
