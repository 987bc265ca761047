import { readFileSync } from 'node:fs';
import process from 'node:process';

import { leaderOf } from '@mcpmux/testing/nats-leader';
import type { SeededRandom } from '@mcpmux/testing/seeded-random';

import type { ClusterNodes } from '../testing/cluster-nodes.js';
import { storeLines, type Absence } from './cluster-rules.js';
import { runs } from './process-files.js';

/** What a fault acts on, and what it leaves a note in. */
export interface Stage {
  readonly cluster: ClusterNodes;
  readonly random: SeededRandom;
  readonly away: Absence[];
  /** Nodes that are stopped: clients send nothing to them. */
  readonly paused: Set<string>;
  /** The file of the fixture `fenced`. */
  readonly store: string;
}

const FAULTS = {
  'kill node': (stage: Stage) => killNode(stage),
  'restart node': (stage: Stage) => restartNode(stage),
  'pause node': (stage: Stage) => pauseNode(stage),
  'kill server': (stage: Stage) => Promise.resolve(killServer(stage)),
  'kill nats': (stage: Stage) => killNats(stage, stage.random.pick(stage.cluster.nats)),
  'kill nats leader': (stage: Stage) => killLeader(stage),
  'pause nats': (stage: Stage) => pauseNats(stage, 1),
  'pause most of nats': (stage: Stage) => pauseNats(stage, 2),
};

/** Something that goes wrong in a cluster. */
export type Fault = keyof typeof FAULTS;

/** Servers die more often than the rest. Each fault comes once in so many events. */
const DECK: readonly Fault[] = [
  'kill node',
  'kill nats leader',
  'pause node',
  'kill server',
  'pause nats',
  'restart node',
  'kill server',
  'pause most of nats',
  'kill nats',
  'kill server',
];

/** As many faults as are asked for, in a random order: each kind comes before one comes for the second time. */
export function faults(random: SeededRandom, count: number): readonly Fault[] {
  const dealt: Fault[] = [];
  while (dealt.length < count) {
    const left = [...DECK];
    while (left.length > 0) dealt.push(...left.splice(random.below(left.length), 1));
  }
  return dealt.slice(0, count);
}

/** Lets a fault happen, and what it has broken come back. */
export function happen(fault: Fault, stage: Stage): Promise<void> {
  return FAULTS[fault](stage);
}

const NODES = ['a', 'b', 'c'] as const;
/** After a stop a process has a backlog. */
const BACKLOG_MS = 5000;
/** How long a node that ends lets requests finish: `drainMs` of the front. */
const DRAIN_MS = 500;
/** What clients are sending at the moment has reached its node. */
const NOTICE_MS = 300;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function killNode({ cluster, random, away }: Stage): Promise<void> {
  const node = random.pick(NODES);
  const from = performance.now();
  await cluster.kill(node);
  await wait(random.below(16_000));
  away.push({ node, from, until: performance.now() });
  await cluster.start(node);
}

/** In order: the node answers what it has, and nothing is excused that ends within its `drainMs`. */
async function restartNode({ cluster, random, away, paused }: Stage): Promise<void> {
  const node = random.pick(NODES);
  // A balancer sends nothing more to a node that is about to end.
  paused.add(node);
  await wait(NOTICE_MS);
  // Connections are accepted in order: the node has what came before this request.
  await cluster.node(node).send({ path: '/healthz' });
  const from = performance.now() + DRAIN_MS;
  await cluster.end(node);
  away.push({ node, from, until: performance.now() });
  await cluster.start(node);
  paused.delete(node);
}

async function pauseNode({ cluster, random, away, paused }: Stage): Promise<void> {
  const node = random.pick(NODES);
  const { child } = cluster.node(node);
  const from = performance.now();
  paused.add(node);
  child.kill('SIGSTOP');
  await wait(random.below(18_000));
  child.kill('SIGCONT');
  paused.delete(node);
  away.push({ node, from, until: performance.now() + BACKLOG_MS });
}

function killServer({ random, store }: Stage): void {
  const pids = storeLines(readFileSync(store, 'utf8')).map(({ pid }) => pid);
  const alive = [...new Set(pids)].filter(runs);
  if (alive.length > 0) process.kill(random.pick(alive), 'SIGKILL');
}

async function killLeader(stage: Stage): Promise<void> {
  const { nats } = stage.cluster;
  const bucket = stage.random.pick(['mcpmux_owners', 'mcpmux_nodes', 'mcpmux_servers']);
  await killNats(stage, (await leaderOf(nats, bucket)) ?? stage.random.pick(nats));
}

async function killNats({ random }: Stage, server: ClusterNodes['nats'][number]): Promise<void> {
  await server.kill();
  await wait(random.below(8000));
  await server.start();
}

async function pauseNats({ cluster, random }: Stage, count: number): Promise<void> {
  const first = random.below(cluster.nats.length);
  const stopped = Array.from({ length: count }, (_, at) => cluster.nats[(first + at) % cluster.nats.length]);
  for (const server of stopped) server?.signal('SIGSTOP');
  await wait(random.below(12_000));
  for (const server of stopped) server?.signal('SIGCONT');
}
