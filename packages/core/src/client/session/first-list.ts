import { type Kit, waitAtMost } from '@mcpmux/kit';
import type { StartingServers } from '../../catalog/starting-servers.js';
import type { Caller } from '../caller/caller.js';
import type { CallerView } from '../caller/caller-view.js';
import { acceptedKinds } from '../../server/dialect/second-era.js';
import type { Upstream } from '../../server/upstream.js';

/** Settings for delaying a client's first tool list until servers have started. */
export interface FirstListWait extends Pick<
  Kit<'firstListMs' | 'listRequestMs' | 'listRhythmMs'>,
  'clock' | 'limits'
> {
  readonly startingServers: Pick<StartingServers, 'whenStarted'>;
  /** False to answer tool lists without waiting for servers to start. Defaults to true. */
  readonly waitForServers?: boolean | undefined;
}

/** A client that requests its first tool list. */
export type ListingClient = Pick<Caller, 'era' | 'clientEra' | 'profile' | 'layer'> & {
  readonly view: Pick<CallerView, 'sees' | 'directory'>;
};

/**
 * Resolves when a client's first tool-list request can be answered; undefined if it can be answered immediately.
 *
 * Every client waits, because many never request the list again, even after a list change, or exit before they would.
 */
export function whenFirstListReady(
  client: ListingClient,
  { waitForServers = true, startingServers, limits, clock }: FirstListWait,
  isRelevant: (server: Upstream) => boolean = client.view.sees,
): Promise<unknown> | undefined {
  const reopening = reopenServersFor(client);
  const whenStarted = waitForServers ? startingServers.whenStarted(isRelevant) : undefined;
  if (!waitForServers || (whenStarted === undefined && reopening === undefined)) return undefined;
  let isDone = false;
  // A server that has just started may also have been opened before any client had declared its capabilities.
  const whenReopened = whenStarted?.then(() => (isDone ? undefined : reopenServersFor(client)));
  const whenReady = waitAtMost(limits.firstListMs, Promise.all([whenReopened, reopening]), clock);
  return whenReady.finally(() => (isDone = true));
}

/**
 * Like {@link whenFirstListReady}, but for a request without a connection. Any such request may be the client's first,
 * so each of them waits, but only for servers that began to start less than `firstListMs` ago.
 */
export function whenStatelessListReady(
  client: ListingClient,
  parts: FirstListWait,
): Promise<unknown> | undefined {
  const { clock, limits } = parts;
  const isNew = ({ state }: Upstream): boolean =>
    state.kind === 'starting' && clock.now() < state.since + limits.firstListMs;
  return whenFirstListReady(client, parts, (server) => client.view.sees(server) && isNew(server));
}

/**
 * Reopens servers that were opened before any client had declared its capabilities, so that they list all their tools.
 */
function reopenServersFor(client: ListingClient): Promise<unknown> | undefined {
  if (acceptedKinds(client).length === 0) return undefined;
  const { layer, view } = client;
  const { upstreams } = view.directory.snapshot();
  const reopening = upstreams.flatMap(
    (server) => layer.supervisorOf(server)?.firstClientRestart.restartWithCapabilitiesOf(client) ?? [],
  );
  return reopening.length > 0 ? Promise.all(reopening) : undefined;
}
