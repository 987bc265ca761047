import type { Directory } from '@mcpmux/cluster';

/** A node gives a sign of life every 2.5 to 3.5 seconds. */
const LIMIT_MS = 4500;
const PAUSE_MS = 50;

/** The clock of {@link silentNodes}. */
export interface Listening {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const LISTENING: Listening = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/**
 * The ids of the nodes that give no sign of life. The record of a node that was killed stays in its bucket for an hour, so
 * that this waits for the next sign of life of each node, and for some seconds at the most.
 */
export async function silentNodes(
  directory: Pick<Directory, 'nodes' | 'renewalOf'>,
  { now, pause }: Listening = LISTENING,
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
