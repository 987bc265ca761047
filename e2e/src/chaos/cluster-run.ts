import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { seededRandom } from '@mcpmux/testing/seeded-random';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

import { ClusterNodes } from '../testing/cluster-nodes.js';
import { ClusterClient, type Sent } from './cluster-clients.js';
import { faults, happen, type Stage } from './cluster-faults.js';
import {
  brokenEffects,
  brokenRegistry,
  brokenRequests,
  brokenRuns,
  storeLines,
  type Absence,
  type StoreLine,
} from './cluster-rules.js';
import { processesWith } from './process-files.js';

/** The size of one run. */
export interface ClusterRunOptions {
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  readonly events: number;
}

/** What a run has shown. */
export interface ClusterRunReport {
  readonly violations: readonly string[];
  readonly history: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

const NODES = ['a', 'b', 'c'] as const;
const CONVERGE_MS = 60_000;
/** The processes of a killed node end when their guard sees that it is gone. */
const LEFT_MS = 15_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a cluster through random faults, and checks what must hold whatever happens. */
export async function clusterRun(options: ClusterRunOptions): Promise<ClusterRunReport> {
  await using folder = await temporaryFolder();
  const store = join(folder.path, 'effects');
  const names = Array.from({ length: options.servers }, (_, index) => `s${index}`);
  const { command, args } = fixtureCommand('fenced');
  const mux = { restart: 'always', cluster: { singleton: true } };
  const entries = names.map((name) => [name, { command, args: [...args, store, name], mux }] as const);
  const cluster = await ClusterNodes.open(NODES, Object.fromEntries(entries), 3);
  const { home } = cluster;
  let report: ClusterRunReport;
  try {
    report = await storm({ cluster, store, names }, options);
  } finally {
    await cluster[Symbol.asyncDispose]();
  }
  return { ...report, violations: [...report.violations, ...(await left(home))] };
}

/** What a storm goes over. */
interface Place {
  readonly cluster: ClusterNodes;
  readonly store: string;
  readonly names: readonly string[];
}

async function storm(
  { cluster, store, names }: Place,
  options: ClusterRunOptions,
): Promise<ClusterRunReport> {
  const random = seededRandom(options.seed);
  const away: Absence[] = [];
  const paused = new Set<string>();
  const history: string[] = [];
  const stage: Stage = { cluster, random, away, paused, store };
  await converged(cluster, names.length);
  await cluster.copied();
  const clients = newClients(stage, names, options);
  let isOver = false;
  const running = clients.map((client) => client.run(() => isOver));
  for (const fault of faults(random, options.events)) {
    history.push(`${Math.round(performance.now())} ${fault}`);
    await happen(fault, stage);
    await wait(500 + random.below(1500));
  }
  const startedAt = performance.now();
  const isKnown = await converged(cluster, names.length);
  isOver = true;
  await Promise.all(running);
  const open = await settled(() => disagreements({ cluster, store, names }, clients), startedAt);
  const convergedMs = Math.round(performance.now() - startedAt);
  const sent = clients.flatMap((client) => client.sent);
  const lines = linesOf(store);
  const violations = [
    ...(isKnown && open.length === 0 ? [] : [`the registry did not converge: ${await told(cluster)}`]),
    ...brokenRequests(sent, away),
    ...brokenEffects(sent, lines),
    ...brokenRuns(lines),
    ...open,
  ];
  const figures = { ...counts(sent), ...storeFigures(lines), convergedMs };
  return { violations, history, figures };
}

function newClients(
  { cluster, paused }: Stage,
  servers: readonly string[],
  { seed, clients }: ClusterRunOptions,
): readonly ClusterClient[] {
  const reachable = (): ReadonlyMap<string, URL> =>
    new Map([...cluster.nodes].filter(([name]) => !paused.has(name)).map(([name, { url }]) => [name, url]));
  return Array.from({ length: clients }, (_, index) => {
    const era = index % 2 === 0 ? 'legacy' : 'modern';
    const random = seededRandom(seed * 1000 + index);
    return new ClusterClient({ name: `c${index}`, era, servers, random, reachable });
  });
}

/** What the nodes do not agree on, when all is well again: every server answers over every node, to clients of both eras. */
async function disagreements(
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
async function settled(
  check: () => Promise<readonly string[]>,
  startedAt: number,
): Promise<readonly string[]> {
  for (;;) {
    const found = await check();
    if (found.length === 0 || performance.now() - startedAt > CONVERGE_MS) return found;
    await wait(500);
  }
}

/** Resolves when every node knows where each server is, with false when that takes too long. */
async function converged(cluster: ClusterNodes, servers: number): Promise<boolean> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < CONVERGE_MS) {
    const pages = await Promise.all(
      [...cluster.nodes.values()].map((node) => node.send({ path: '/metrics' }).catch(() => ({ text: '' }))),
    );
    const figure = (text: string, name: string): number =>
      Number(new RegExp(`^mcpmux_cluster_${name} (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
    const here = pages.reduce((sum, { text }) => sum + figure(text, 'servers_here'), 0);
    const isKnown = pages.every(
      ({ text }) => figure(text, 'servers_here') + figure(text, 'servers_there') === servers,
    );
    if (here === servers && isKnown) return true;
    await wait(200);
  }
  return false;
}

/** What each node says of the cluster. */
async function told(cluster: ClusterNodes): Promise<string> {
  const pages = [...cluster.nodes].map(async ([name, node]) => {
    const { text } = await node.send({ path: '/metrics' }).catch(() => ({ text: 'no answer' }));
    return `${name}: ${text
      .split('\n')
      .filter((line) => line.startsWith('mcpmux_cluster'))
      .join(', ')}`;
  });
  return [...(await Promise.all(pages)), await cluster.command('status')].join('\n');
}

function linesOf(store: string): readonly StoreLine[] {
  return storeLines(existsSync(store) ? readFileSync(store, 'utf8') : '');
}

function storeFigures(lines: readonly StoreLine[]): Readonly<Record<string, number>> {
  const count = (kind: string): number => lines.filter(({ what }) => what.startsWith(kind)).length;
  return { starts: count('start'), effects: count('effect'), fenced: count('refused') };
}

function counts(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const count = (outcome: Sent['outcome']): number => sent.filter((one) => one.outcome === outcome).length;
  return { sent: sent.length, answered: count('answered'), refused: count('refused'), lost: count('lost') };
}

/** Nodes, guards and servers have the home of the cluster in their environment. */
async function left(home: string): Promise<readonly string[]> {
  const startedAt = performance.now();
  for (;;) {
    const pids = processesWith('HOME', home);
    if (pids.length === 0) return [];
    if (performance.now() - startedAt > LEFT_MS) return pids.map((pid) => `process ${pid} is left`);
    await wait(200);
  }
}
