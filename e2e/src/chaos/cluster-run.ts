import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { fixtureCommand } from '@mcpmux/test-servers';
import { seededRandom, type SeededRandom } from '@mcpmux/testing/seeded-random';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

import { ClusterNodes } from '../testing/cluster-nodes.js';
import { ClusterClient, type Sent } from './cluster-clients.js';

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
type Event = 'kill node' | 'pause node' | 'kill server' | 'kill nats' | 'pause nats';
const EVENTS: readonly Event[] = [
  'kill node',
  'pause node',
  'kill server',
  'kill server',
  'kill nats',
  'pause nats',
];
const CONVERGE_MS = 60_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs a cluster through random faults, and checks what must hold whatever happens. */
export async function clusterRun({
  seed,
  servers,
  clients,
  events,
}: ClusterRunOptions): Promise<ClusterRunReport> {
  await using folder = await temporaryFolder();
  const store = join(folder.path, 'effects');
  const names = Array.from({ length: servers }, (_, index) => `s${index}`);
  const { command, args } = fixtureCommand('fenced');
  const mux = { restart: 'always', cluster: { singleton: true } };
  const entries = names.map((name) => [name, { command, args: [...args, store, name], mux }] as const);
  const history: string[] = [];
  let figures: ClusterRunReport['figures'] = {};
  const violations: string[] = [];
  {
    await using cluster = await ClusterNodes.open(NODES, Object.fromEntries(entries), 3);
    const random = seededRandom(seed);
    const away: { node: string; from: number; until: number }[] = [];
    const paused = new Set<string>();
    const reachable = () =>
      new Map([...cluster.nodes].filter(([name]) => !paused.has(name)).map(([name, { url }]) => [name, url]));
    await converged(cluster, servers);
    const all = Array.from({ length: clients }, (_, index) => {
      const era = index % 2 === 0 ? 'legacy' : 'modern';
      const own = seededRandom(seed * 1000 + index);
      return new ClusterClient({ name: `c${index}`, era, servers: names, random: own, reachable });
    });
    let isOver = false;
    const running = all.map((client) => client.run(() => isOver));
    for (let count = 0; count < events; count += 1) {
      const event = random.pick(EVENTS);
      history.push(`${Math.round(performance.now())} ${event}`);
      await fault(event, { cluster, random, away, paused, store });
      await wait(1000 + random.below(3000));
    }
    const convergedMs = await converged(cluster, servers);
    isOver = true;
    await Promise.all(running);
    const sent = all.flatMap((client) => client.sent);
    if (convergedMs === undefined)
      violations.push(`the registry did not converge within ${CONVERGE_MS} ms: ${await told(cluster)}`);
    violations.push(...broken(sent, away), ...brokenStore(store));
    figures = { ...counts(sent), ...storeFigures(store), convergedMs: Math.round(convergedMs ?? -1) };
  }
  violations.push(...left(store));
  return { violations, history, figures };
}

interface Stage {
  readonly cluster: ClusterNodes;
  readonly random: SeededRandom;
  readonly away: { node: string; from: number; until: number }[];
  readonly paused: Set<string>;
  readonly store: string;
}

async function fault(event: Event, { cluster, random, away, paused, store }: Stage): Promise<void> {
  const node = random.pick(NODES);
  const nats = random.pick(cluster.nats);
  const from = performance.now();
  switch (event) {
    case 'kill node':
      await cluster.kill(node);
      away.push({ node, from, until: Infinity });
      await wait(random.below(16_000));
      await cluster.start(node);
      return;
    case 'pause node': {
      const { child } = cluster.node(node);
      paused.add(node);
      child.kill('SIGSTOP');
      await wait(random.below(18_000));
      child.kill('SIGCONT');
      paused.delete(node);
      away.push({ node, from, until: performance.now() + 5000 });
      return;
    }
    case 'kill server': {
      const pids = [...readFileSync(store, 'utf8').matchAll(/^\S+ \d+ (\d+) start$/gm)].map(([, pid]) =>
        Number(pid),
      );
      const alive = pids.filter(isAlive);
      if (alive.length > 0) process.kill(random.pick(alive), 'SIGKILL');
      return;
    }
    case 'kill nats':
      await nats.kill();
      await wait(random.below(8000));
      await nats.start();
      return;
    case 'pause nats':
      nats.signal('SIGSTOP');
      await wait(random.below(12_000));
      nats.signal('SIGCONT');
  }
}

/** Resolves with the time until every node knows where each server is; undefined when that takes too long. */
async function converged(cluster: ClusterNodes, servers: number): Promise<number | undefined> {
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
    if (here === servers && isKnown) return performance.now() - startedAt;
    await wait(200);
  }
  return undefined;
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

/** A request is answered once when no node that it needed was away. The node of a session may be any. */
function broken(sent: readonly Sent[], away: Stage['away']): readonly string[] {
  return sent
    .filter(({ outcome, sentAt, endedAt }) => {
      if (outcome === 'crossed') return true;
      return (
        (outcome === 'lost' || outcome === 'open') &&
        !away.some(({ from, until }) => from <= endedAt && until >= sentAt)
      );
    })
    .map((one) => `${one.outcome} at ${Math.round(one.sentAt)}: ${JSON.stringify(one)}`);
}

function lines(store: string): readonly (readonly [string, number, number, string])[] {
  if (!existsSync(store)) return [];
  const read = readFileSync(store, 'utf8').trimEnd().split('\n');
  return read.map((line) => {
    const [server = '', epoch, pid, what = ''] = line.split(' ');
    return [server, Number(epoch), Number(pid), what] as const;
  });
}

/** The effects of a server stand in the order of their epochs, and each request had one at most. */
function brokenStore(store: string): readonly string[] {
  const last = new Map<string, number>();
  const done = new Set<string>();
  return lines(store).flatMap(([server, epoch, , what]) => {
    if (what === 'refused') return [];
    const found =
      epoch < (last.get(server) ?? 0) ? [`an effect of epoch ${epoch} of ${server} after a newer one`] : [];
    last.set(server, epoch);
    if (what === 'start') return found;
    if (done.has(what)) found.push(`${what} was done twice`);
    done.add(what);
    return found;
  });
}

function storeFigures(store: string): Readonly<Record<string, number>> {
  const all = lines(store);
  const count = (kind: string): number => all.filter(([, , , what]) => what.startsWith(kind)).length;
  return { starts: count('start'), effects: count('effect'), fenced: count('refused') };
}

function counts(sent: readonly Sent[]): Readonly<Record<string, number>> {
  const count = (outcome: Sent['outcome']): number => sent.filter((one) => one.outcome === outcome).length;
  return { sent: sent.length, answered: count('answered'), refused: count('refused'), lost: count('lost') };
}

function left(store: string): readonly string[] {
  const alive = new Set(
    lines(store)
      .map(([, , pid]) => pid)
      .filter(isAlive),
  );
  return [...alive].map((pid) => `process ${pid} of a server is left`);
}

function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('fenced');
  } catch {
    return false;
  }
}
