import { existsSync, readFileSync } from 'node:fs';

import type { ClusterNodes } from '../testing/cluster-nodes.js';
import type { ClusterClient } from './cluster-clients.js';
import { brokenRegistry, storeLines, type StoreLine } from './cluster-rules.js';

/** What a storm goes over. */
export interface Place {
  readonly cluster: ClusterNodes;
  /** The file of the fixture `fenced`. */
  readonly store: string;
  /** The servers. */
  readonly names: readonly string[];
}

const CONVERGE_MS = 60_000;
const HERE = 'cluster_servers_here';
const THERE = 'cluster_servers_there';

/** Resolves after that time. */
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What the runs of the servers have written. */
export function linesOf(store: string): readonly StoreLine[] {
  return storeLines(existsSync(store) ? readFileSync(store, 'utf8') : '');
}

/** What the nodes do not agree on, when all is well again: every server answers over every node, to clients of both eras. */
export async function disagreements(
  { cluster, store, names }: Place,
  clients: readonly ClusterClient[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [node, { url }] of cluster.nodes)
    for (const server of names)
      for (const client of clients.slice(0, 2)) {
        const { outcome, detail } = await client.probe(node, url, server);
        if (outcome !== 'answered')
          found.push(`${server} does not answer over ${node}: ${outcome} ${detail}`);
      }
  // Servers that run on no node make the command fail.
  const status = await cluster.command('status', '--json').catch((error: unknown) => String(error));
  if (!status.startsWith('[')) return [...found, status];
  const registry = JSON.parse(status) as Parameters<typeof brokenRegistry>[0];
  return [...found, ...brokenRegistry(registry, linesOf(store))];
}

/** Repeats a check until it finds nothing, or too long. Resolves with what it has found last. */
export async function settled(
  check: () => Promise<readonly string[]>,
  startedAt: number,
): Promise<readonly string[]> {
  for (;;) {
    const found = await check();
    if (found.length === 0 || Date.now() - startedAt > CONVERGE_MS) return found;
    await wait(500);
  }
}

/** Resolves when every node knows where each server is, with false when that takes too long. */
export async function converged(cluster: ClusterNodes, servers: number): Promise<boolean> {
  const startedAt = Date.now();
  while (Date.now() - startedAt < CONVERGE_MS) {
    const pages = await Promise.all(
      [...cluster.nodes.keys()].map((node) => cluster.figures(node, [HERE, THERE]).catch(() => undefined)),
    );
    const here = pages.reduce((sum, figures) => sum + (figures?.[HERE] ?? Number.NaN), 0);
    const isKnown = pages.every(
      (figures) => (figures?.[HERE] ?? 0) + (figures?.[THERE] ?? Number.NaN) === servers,
    );
    if (here === servers && isKnown) return true;
    await wait(200);
  }
  return false;
}

/** What each node says of the cluster. */
export async function reported(cluster: ClusterNodes): Promise<string> {
  const pages = [...cluster.nodes].map(async ([name, node]) => {
    const { text } = await node.send({ path: '/metrics' }).catch(() => ({ text: 'no answer' }));
    return `${name}: ${text
      .split('\n')
      .filter((line) => line.startsWith('mcpmux_cluster'))
      .join(', ')}`;
  });
  return [...(await Promise.all(pages)), await cluster.command('status').catch(String)].join('\n');
}
