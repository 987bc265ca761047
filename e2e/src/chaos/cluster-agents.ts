import { seededRandom } from '@mcpmux/testing/seeded-random';

import type { HttpCli } from '../testing/http-cli.js';
import { ClusterAgent, type Change } from './cluster-agent.js';
import type { Place } from './cluster-agreement.js';
import type { Stage } from './cluster-faults.js';
import { brokenPresence, listsOf } from './cluster-presence.js';

/** How many agents change the registry. */
const AGENTS = 2;

/** The agents of a storm. */
export function newAgents({ cluster, paused }: Stage, seed: number): readonly ClusterAgent[] {
  const reachable = (): readonly HttpCli[] =>
    [...cluster.nodes].filter(([name]) => !paused.has(name)).map(([, node]) => node);
  return Array.from({ length: AGENTS }, (_, index) => {
    const random = seededRandom(seed * 1000 + 500 + index);
    return new ClusterAgent({ name: `agent${index}`, random, reachable });
  });
}

/** What nodes list otherwise than agents were told. */
export async function misplaced(
  { cluster }: Place,
  agents: readonly ClusterAgent[],
): Promise<readonly string[]> {
  const lists = await listsOf(cluster.nodes);
  return agents.flatMap(({ presence }) => brokenPresence(presence, lists));
}

/** Removes the servers of agents. Resolves with the reasons why some may be left. */
export async function emptiedOf(
  { cluster }: Place,
  agents: readonly ClusterAgent[],
): Promise<readonly string[]> {
  const [node] = cluster.nodes.values();
  if (node === undefined) return ['no node is left'];
  return (await Promise.all(agents.map((agent) => agent.leave(node)))).flat();
}

/** The changes by all agents, by their outcomes. */
export function changesOf(agents: readonly ClusterAgent[]): Readonly<Record<string, number>> {
  const all = agents.flatMap(({ changes }) => changes);
  const count = (outcome: Change['outcome']): number => all.filter((one) => one.outcome === outcome).length;
  return { changes: all.length, changesRefused: count('refused'), changesLost: count('lost') };
}
