import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { seededRandom } from '@mcpmux/testing/seeded-random';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

import { ClusterNodes } from '../testing/cluster-nodes.js';
import { changesOf, emptiedOf, misplaced, newAgents } from './cluster-agents.js';
import {
  converged,
  disagreements,
  linesOf,
  settled,
  reported,
  wait,
  type Place,
} from './cluster-agreement.js';
import { ClusterClient, type Sent } from './cluster-clients.js';
import { emptied } from './cluster-end.js';
import { faults, happen, type Stage } from './cluster-faults.js';
import { listsOf } from './cluster-presence.js';
import { brokenRefusals, refusals } from './cluster-refusals.js';
import {
  brokenEffects,
  brokenOverlaps,
  brokenRequests,
  brokenRuns,
  brokenService,
  brokenStatuses,
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
/** The processes of a killed node end when their guard sees that it is gone. */
const LEFT_MS = 15_000;

/** Runs a cluster through random faults, and checks what must hold whatever happens. */
export async function clusterRun(options: ClusterRunOptions): Promise<ClusterRunReport> {
  await using folder = await temporaryFolder();
  const store = join(folder.path, 'effects');
  const names = Array.from({ length: options.servers }, (_, index) => `s${index}`);
  const { command, args } = fixtureCommand('fenced');
  const mux = { restart: 'always', cluster: { singleton: true } };
  const entries = names.map((name) => [name, { command, args: [...args, store, name], mux }] as const);
  // The first node does not take all servers, and two have room for all.
  const capacity = Math.ceil(options.servers * 0.6);
  const cluster = await ClusterNodes.open(NODES, Object.fromEntries(entries), 3, { cluster: { capacity } });
  const { home } = cluster;
  let report: ClusterRunReport;
  try {
    report = await storm({ cluster, store, names }, options);
  } finally {
    await cluster[Symbol.asyncDispose]();
  }
  return { ...report, violations: [...report.violations, ...(await left(home))] };
}

/** Nothing is broken before the first fault and at the end. */
const CALM_MS = 2000;

async function storm(place: Place, options: ClusterRunOptions): Promise<ClusterRunReport> {
  const { cluster, store, names } = place;
  const random = seededRandom(options.seed);
  const stage: Stage = { cluster, random, away: [], faults: [], paused: new Set(), store };
  const history: string[] = [];
  await converged(cluster, names.length);
  await settled(() => unlisted(place), Date.now());
  await cluster.copied();
  const clients = newClients(stage, names, options);
  let isOver = false;
  const running = clients.map((client) => client.run(() => isOver));
  let isCalm = false;
  const agents = newAgents(stage, options.seed);
  const changing = agents.map((agent) => agent.run(() => isCalm));
  await wait(CALM_MS);
  for (const planned of faults(random, options.events)) {
    const from = Date.now();
    await happen(planned, stage);
    const nodes = stage.away.filter((one) => one.from >= from).map(({ node }) => ` of ${node}`);
    history.push(`${from} to ${Date.now()} ${planned.fault}${nodes[0] ?? ''} for ${planned.ms} ms`);
    await wait(500 + random.integerBelow(500));
  }
  isCalm = true;
  await Promise.all(changing);
  const startedAt = Date.now();
  const unlike = await settled(() => misplaced(place, agents), startedAt);
  const kept = await settled(() => emptiedOf(place, agents), startedAt);
  const isKnown = await converged(cluster, names.length);
  await wait(CALM_MS);
  isOver = true;
  await Promise.all(running);
  const open = await settled(() => disagreements(place, clients), startedAt);
  const convergedMs = Date.now() - startedAt;
  const sent = clients.flatMap((client) => client.sent);
  const lines = linesOf(store);
  const violations = [
    ...(isKnown && open.length === 0 ? [] : [`the registry did not converge: ${await reported(cluster)}`]),
    ...brokenRequests(sent, stage.away),
    ...brokenStatuses(sent, stage.away, stage.faults),
    ...brokenRefusals(sent, { ...stage, lines }),
    ...unlike,
    ...kept,
    ...brokenService(sent, stage.faults),
    ...brokenEffects(sent, lines),
    ...brokenRuns(lines),
    ...brokenOverlaps(lines, stage.away),
    ...open,
    ...(await emptied(place, clients)),
  ];
  return {
    violations,
    history,
    figures: {
      ...counts(sent),
      ...refusals(sent),
      ...changesOf(agents),
      ...storeFigures(lines),
      convergedMs,
    },
  };
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

/** The servers that a node does not list yet. */
async function unlisted({ cluster, names }: Place): Promise<readonly string[]> {
  const lists = await listsOf(cluster.nodes);
  return names.filter((name) => lists.some(({ servers }) => !servers.includes(name)));
}

function storeFigures(lines: readonly StoreLine[]): Readonly<Record<string, number>> {
  const count = (kind: string): number => lines.filter(({ what }) => what.startsWith(kind)).length;
  const [starts, effects, fenced] = [count('start'), count('effect'), count('refused')];
  return { starts, effects, fenced, overlaps: count('overlap') };
}

function counts(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const count = (outcome: Sent['outcome']): number => sent.filter((one) => one.outcome === outcome).length;
  return { sent: sent.length, answered: count('answered'), refused: count('refused'), lost: count('lost') };
}

/** Nodes, guards and servers have the home of the cluster in their environment. */
async function left(home: string): Promise<readonly string[]> {
  const startedAt = Date.now();
  for (;;) {
    const pids = processesWith('HOME', home);
    if (pids.length === 0) return [];
    if (Date.now() - startedAt > LEFT_MS) return pids.map((pid) => `process ${pid} is left`);
    await wait(200);
  }
}
