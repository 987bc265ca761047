import type { Directory } from '@mcpmux/cluster';

import { SYSTEM_CLOCK, type WaitClock } from './waiting.js';

/** The maximum wait for a heartbeat. A node sends one every 2.5 to 3.5 seconds. */
const LIMIT_MS = 4500;
const PAUSE_MS = 50;

/**
 * Returns the ids of the nodes that send no heartbeat. The record of a killed node stays in its bucket for an hour, so
 * the function waits a few seconds for the next heartbeat of each node.
 */
export async function silentNodes(
  directory: Pick<Directory, 'nodes' | 'renewalOf'>,
  { now, pause }: WaitClock = SYSTEM_CLOCK,
): Promise<ReadonlySet<string>> {
  const first = new Map<string, number | undefined>();
  const until = now() + LIMIT_MS;
  for (;;) {
    const ids = [...directory.nodes().keys()];
    for (const id of ids) if (!first.has(id)) first.set(id, directory.renewalOf(id));
    const silent = ids.filter((id) => directory.renewalOf(id) === first.get(id));
    if (silent.length === 0 || now() > until) return new Set(silent);
    await pause(PAUSE_MS);
  }
}
