import type { Directory } from '@mcpmux/cluster';

import { SYSTEM_CLOCK, type WaitClock } from './waiting.js';

/** How long to wait for a heartbeat. Each node sends one every 2.5 to 3.5 seconds. */
const HEARTBEAT_TIMEOUT_MS = 4500;
const POLL_MS = 50;

/**
 * Returns the ids of the nodes that have stopped sending heartbeats. A killed node's record remains in the cluster for
 * an hour, so the function waits a few seconds for each node's next heartbeat.
 */
export async function findSilentNodes(
  directory: Pick<Directory, 'nodes' | 'renewalOf'>,
  { now, pause }: WaitClock = SYSTEM_CLOCK,
): Promise<ReadonlySet<string>> {
  const firstRenewals = new Map<string, number | undefined>();
  const deadline = now() + HEARTBEAT_TIMEOUT_MS;
  for (;;) {
    const ids = [...directory.nodes().keys()];
    for (const id of ids) if (!firstRenewals.has(id)) firstRenewals.set(id, directory.renewalOf(id));
    const silentIds = ids.filter((id) => directory.renewalOf(id) === firstRenewals.get(id));
    if (silentIds.length === 0 || now() > deadline) return new Set(silentIds);
    await pause(POLL_MS);
  }
}
