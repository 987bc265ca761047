import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { openRoundRobin } from '@mcpmux/testing/round-robin';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { storeLines } from './chaos/cluster-rules.js';
import { ClusterNodes } from './testing/cluster-nodes.js';
import { recordsOf } from './testing/cluster-records.js';
import { connectV1, HTTP_CLIENTS, type HttpClient } from './testing/http-clients.js';
import { EARLIER, LATER, otherVersion } from './testing/other-version.js';

const NODES = ['a', 'b', 'c'];
const SERVERS = ['s0', 's1', 's2'];

/** The session of the client has ended with its node: nothing was done, and the client opens another one. */
const NO_SESSION = /The session has ended, or never existed/;
/** The call met the end of the link to the node that gave the server away: nothing was done. */
const LATE = /^Server "s\d" cannot be reached: (its connection has ended|The other end was closed)\.\n/;

/** The node of the session ends: nothing was done, and the same session gets {@link NO_SESSION} when the node has ended. */
const ENDING = /mcpmux is shutting down\. Try again later\./;

const PACE_MS = 20;

/** A client that calls without a pause, and says what came of each call. */
class Worker {
  readonly done: string[] = [];
  readonly lost: string[] = [];
  /** Calls that were on their way at the moment of a move. */
  late = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly name: string,
    private readonly connect: () => Promise<HttpClient>,
  ) {
    this.running = this.run();
  }

  end(): Promise<void> {
    this.isOver = true;
    return this.running;
  }

  private async run(): Promise<void> {
    let client = await this.connect();
    for (let count = 0; !this.isOver && this.lost.length === 0; count += 1) {
      const nonce = `${this.name}.${count}`;
      const server = SERVERS[count % SERVERS.length] ?? '';
      for (let answer = ''; answer !== nonce && this.lost.length === 0;) {
        answer = await client.call(`${server}__effect`, { nonce }).catch(String);
        if (answer === nonce) this.done.push(nonce);
        else if (NO_SESSION.test(answer)) client = await this.connect();
        else if (LATE.test(answer)) this.late += 1;
        else if (!ENDING.test(answer)) this.lost.push(`${nonce}: ${answer}`);
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
    }
    await client[Symbol.asyncDispose]();
  }
}

describe.skipIf(!hasNatsServer || process.platform === 'win32')(
  'a cluster that is upgraded node by node',
  () => {
    it(
      'K15: makes the calls of clients of both eras wait while servers move, and does each of them once, although records change their shape',
      { timeout: 180_000 },
      async () => {
        await using folder = await temporaryFolder();
        const [old, next] = await Promise.all([
          otherVersion(join(folder.path, 'old'), '0.0.1', EARLIER),
          otherVersion(join(folder.path, 'next'), '999.0.0', LATER),
        ]);
        const store = join(folder.path, 'effects');
        const { command, args } = fixtureCommand('fenced');
        const mux = { cluster: { singleton: true } };
        const entries = SERVERS.map(
          (name) => [name, { command, args: [...args, store, name], mux }] as const,
        );
        await using cluster = await ClusterNodes.open([], Object.fromEntries(entries));
        const addresses: URL[] = [];
        for (const name of NODES) addresses.push((await cluster.start(name, { program: old })).url);
        for (const name of NODES) await isReady(cluster, name);
        await using balancer = await openRoundRobin(addresses);
        const listed = async (): Promise<number> => {
          await using client = await HTTP_CLIENTS[0][1](balancer.url);
          return (await client.tools()).filter((tool) => tool.endsWith('__effect')).length;
        };
        await expect.poll(listed).toBe(SERVERS.length);
        const workers = HTTP_CLIENTS.map(
          ([, connect], at) => new Worker(`w${at}`, () => connect(balancer.url)),
        );
        const shapes = async (): Promise<readonly string[]> =>
          [...(await recordsOf(cluster, 'nodes')).values()].map((text) => {
            const record = JSON.parse(text) as object;
            if ('later' in record) return 'later';
            return 'started' in record ? 'as it is now' : 'earlier';
          });
        expect(await shapes()).toEqual(['earlier', 'earlier', 'earlier']);
        const mixed: string[] = [];
        for (const name of NODES) {
          const before = workers.map(({ done }) => done.length);
          await cluster.command('drain', name);
          // New requests go elsewhere; those in flight are answered.
          addresses.splice(
            addresses.findIndex(({ port }) => port === cluster.node(name).url.port),
            1,
          );
          await cluster.end(name);
          const { url } = await cluster.start(name, { program: next });
          await isReady(cluster, name);
          addresses.push(url);
          // Versions are mixed now, and everybody gets on.
          await expect
            .poll(() =>
              workers.every(
                ({ done, lost }, index) => lost.length > 0 || done.length > (before[index] ?? 0) + 20,
              ),
            )
            .toBe(true);
          mixed.push([...new Set(await shapes())].toSorted().join(' and '));
          if (name === NODES[0]) await useAddedByLater(cluster, name);
        }
        await Promise.all(workers.map((worker) => worker.end()));
        expect(mixed).toEqual(['earlier and later', 'earlier and later', 'later']);
        expect(workers.flatMap(({ lost }) => lost)).toEqual([]);
        // A worker has one call on its way, and a server moves three times.
        for (const { late } of workers) expect(late).toBeLessThanOrEqual(NODES.length);
        const done = storeLines(readFileSync(store, 'utf8')).flatMap(({ what }) =>
          what.startsWith('effect:') ? [what.slice(7)] : [],
        );
        expect(done.toSorted()).toEqual(workers.flatMap((worker) => worker.done).toSorted());
        const nodes = JSON.parse(await cluster.command('nodes', '--json')) as {
          name: string;
          version: string;
        }[];
        expect(nodes.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(
          NODES.map((name) => `${name} 999.0.0`),
        );
      },
    );
  },
);

/** What a client adds over a node of the later version works over those of the earlier one. */
async function useAddedByLater(cluster: ClusterNodes, later: string): Promise<void> {
  await using client = await connectV1(cluster.node(later).url);
  await client.call('add_server', { name: 'late', ...fixtureCommand('echo'), persist: true });
  expect((await recordsOf(cluster, 'servers')).get('late')).toContain('"later"');
  for (const name of cluster.others(later)) {
    await using other = await connectV1(cluster.node(name).url);
    await expect.poll(() => other.call('late__echo', { message: name }).catch(String)).toBe(name);
  }
}

/** A balancer sends nothing to a node before it is ready. */
async function isReady(cluster: ClusterNodes, name: string): Promise<void> {
  await expect.poll(async () => (await cluster.node(name).send({ path: '/readyz' })).status).toBe(200);
}
