import { readFileSync } from 'node:fs';
import process from 'node:process';

import { findBucketLeader } from '@mcpmux/testing/nats-leader';
import type { SeededRandom } from '@mcpmux/testing/seeded-random';

import type { ClusterNodes } from '../testing/cluster-nodes.js';
import { storeLines, type Absence, type FaultTime } from './cluster-rules.js';
import { runsWith } from './process-files.js';

/** What a fault acts on, and what it leaves a note in. */
export interface Stage {
  readonly cluster: ClusterNodes;
  readonly random: SeededRandom;
  readonly away: Absence[];
  readonly faults: FaultTime[];
  /** Nodes that are stopped: clients send nothing to them. */
  readonly paused: Set<string>;
  /** The file of the fixture `fenced`. */
  readonly store: string;
}

/** A kind of fault. */
interface Kind {
  /** Its longest time, in milliseconds; 0 for one that is over at once. */
  readonly longestMs: number;
  readonly happen: (stage: Stage, ms: number) => Promise<void>;
}

/** Others take the servers of a node that is away for 10 seconds. */
const KINDS = {
  'kill node': { longestMs: 16_000, happen: killNode },
  'restart node': { longestMs: 0, happen: restartNode },
  'pause node': { longestMs: 18_000, happen: pauseNode },
  'kill server': { longestMs: 0, happen: (stage) => Promise.resolve(killServer(stage)) },
  'kill nats': {
    longestMs: 8000,
    happen: (stage, ms) => killNats(stage.random.pick(stage.cluster.nats), ms),
  },
  'kill nats leader': { longestMs: 8000, happen: killLeader },
  'pause nats': { longestMs: 12_000, happen: (stage, ms) => pauseNats(stage, 1, ms) },
  'pause most of nats': { longestMs: 12_000, happen: (stage, ms) => pauseNats(stage, 2, ms) },
} as const satisfies Readonly<Record<string, Kind>>;

/** Something that goes wrong in a cluster. */
export type Fault = keyof typeof KINDS;

/** Servers die more often than the rest. Each fault comes once in so many events. */
export const DECK: readonly Fault[] = [
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

/** A fault, and how long it lasts, in milliseconds. */
export interface PlannedFault {
  readonly fault: Fault;
  readonly ms: number;
}

/** The faults of a run last so long on average at the most, in milliseconds: a run of few events has an end. */
const MEAN_MS = 2500;

/** As many faults as are asked for, in a random order: each card of the deck comes before one comes for the second time. */
export function faults(random: SeededRandom, count: number): readonly PlannedFault[] {
  const dealt: Fault[] = [];
  while (dealt.length < count) {
    const left = [...DECK];
    while (left.length > 0) dealt.push(...left.splice(random.integerBelow(left.length), 1));
  }
  const planned = dealt.slice(0, count).map((fault) => {
    const { longestMs } = KINDS[fault];
    return { fault, ms: longestMs === 0 ? 0 : random.integerBelow(longestMs) };
  });
  const mean = planned.reduce((sum, { ms }) => sum + ms, 0) / count;
  const part = Math.min(1, MEAN_MS / mean);
  return planned.map(({ fault, ms }) => ({ fault, ms: Math.round(ms * part) }));
}

/** Lets a fault happen, and what it has broken come back. */
export async function happen({ fault, ms }: PlannedFault, stage: Stage): Promise<void> {
  const from = Date.now();
  await KINDS[fault].happen(stage, ms);
  const backlog = fault.startsWith('pause') ? BACKLOG_MS : 0;
  stage.faults.push({ fault, from, until: Date.now() + backlog });
}

const NODES = ['a', 'b', 'c'] as const;
/** After a stop a process has a backlog. */
const BACKLOG_MS = 5000;
/** How long a node that ends lets requests finish: `drainMs` of the front. */
const DRAIN_MS = 500;
/** What clients are sending at the moment has reached its node. */
const NOTICE_MS = 300;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A node that runs servers: a fault of another one breaks little. */
async function victim({ cluster, random }: Stage): Promise<string> {
  const loads = await Promise.all(NODES.map((node) => cluster.figure(node, 'cluster_servers_here')));
  const loaded = NODES.filter((_, index) => (loads[index] ?? 0) > 0);
  return random.pick(loaded.length > 0 ? loaded : NODES);
}

async function killNode(stage: Stage, ms: number): Promise<void> {
  const { cluster, away } = stage;
  const node = await victim(stage);
  const from = Date.now();
  await cluster.kill(node);
  await wait(ms);
  away.push({ node, kind: 'dead', from, until: Date.now() });
  await cluster.start(node);
}

/** In order: the node answers what it has, and nothing is excused that ends within its `drainMs`. */
async function restartNode(stage: Stage): Promise<void> {
  const { cluster, away, paused } = stage;
  const node = await victim(stage);
  // A balancer sends nothing more to a node that is about to end.
  paused.add(node);
  await wait(NOTICE_MS);
  // Connections are accepted in order: the node has what came before this request.
  await cluster.node(node).send({ path: '/healthz' });
  const reported = Date.now();
  await cluster.end(node);
  const until = Date.now();
  away.push(
    { node, kind: 'ending', from: reported, until },
    { node, kind: 'dead', from: reported + DRAIN_MS, until },
  );
  await cluster.start(node);
  paused.delete(node);
}

async function pauseNode(stage: Stage, ms: number): Promise<void> {
  const { cluster, away, paused } = stage;
  const node = await victim(stage);
  const { child } = cluster.node(node);
  const from = Date.now();
  paused.add(node);
  child.kill('SIGSTOP');
  await wait(ms);
  child.kill('SIGCONT');
  paused.delete(node);
  away.push({ node, kind: 'paused', from, until: Date.now() + BACKLOG_MS });
}

function killServer({ random, store }: Stage): void {
  const pids = storeLines(readFileSync(store, 'utf8')).map(({ pid }) => pid);
  // The number of one that has ended may belong to another process by now.
  const alive = [...new Set(pids)].filter((pid) => runsWith(pid, store));
  if (alive.length > 0) process.kill(random.pick(alive), 'SIGKILL');
}

async function killLeader({ cluster: { nats }, random }: Stage, ms: number): Promise<void> {
  const bucket = random.pick(['mcpmux_owners', 'mcpmux_nodes', 'mcpmux_servers']);
  await killNats((await findBucketLeader(nats, bucket)) ?? random.pick(nats), ms);
}

async function killNats(server: ClusterNodes['nats'][number], ms: number): Promise<void> {
  await server.kill();
  await wait(ms);
  await server.start();
}

async function pauseNats({ cluster, random }: Stage, count: number, ms: number): Promise<void> {
  const first = random.integerBelow(cluster.nats.length);
  const stopped = Array.from({ length: count }, (_, at) => cluster.nats[(first + at) % cluster.nats.length]);
  for (const server of stopped) server?.sendSignal('SIGSTOP');
  await wait(ms);
  for (const server of stopped) server?.sendSignal('SIGCONT');
}
