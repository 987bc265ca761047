import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fixtureCommand } from '@mcpmux/test-servers';
import { startDividedNats } from '@mcpmux/testing/divided-nats';
import { findBucketLeader } from '@mcpmux/testing/nats-leader';
import { hasNatsServer, startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';
import { openTcpGate } from '@mcpmux/testing/tcp-gate';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, it } from 'vitest';

import { brokenRuns, storeLines, type StoreLine } from './chaos/cluster-rules.js';
import { runs } from './chaos/process-files.js';
import { Calls, untilAnswered } from './testing/cluster-calls.js';
import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { connectV1, type HttpClient } from './testing/http-clients.js';
import { SlowProcess } from './testing/slow-process.js';

/** How long the issue of a fault may take: docs/cluster.md says 15 seconds of a node that dies. */
const FAILOVER = { timeout: 45_000 };

/** Long enough for others to take the servers of a node that gives no sign of life. */
const TWO_LEASES_MS = 20_000;
/** A slow node runs for a ninth of the time. */
const STOPPED_MS = 400;

const call = (client: HttpClient, name: string, args: Record<string, unknown> = {}): Promise<string> =>
  client.call(name, args).catch(String);

/** A server of NATS that each of these nodes reaches through a gate of its own. */
async function gatedNats(nodes: readonly string[]) {
  const [server] = (await startNatsServers()) as [NatsServer];
  const { port } = new URL(server.url);
  const made = await Promise.all(nodes.map(async (name) => [name, await openTcpGate(Number(port))] as const));
  const gates = new Map(made);
  return {
    servers: [server],
    /** The server as a node reaches it. */
    of: (name: string): readonly NatsServer[] => [
      { ...server, url: `nats://127.0.0.1:${gates.get(name)?.port}` },
    ],
    /** No node reaches NATS any more. */
    cut: (): void => {
      for (const gate of gates.values()) gate.shut();
    },
    join: (name: string): void => gates.get(name)?.open(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...gates.values()].map((gate) => gate[Symbol.asyncDispose]()));
    },
  };
}

/** The answer of a call to a server of node a when messages of its link were lost. */
const LOST =
  /^Server "hold-calls" cannot be reached: (Messages between this node and a-\w+ were lost|Node a-\w+ is not there)\.\n/;

/** A singleton that records its runs and its effects in a file. */
function singleton(folder: string, placement: object = {}) {
  const store = join(folder, 'effects');
  const { command, args } = fixtureCommand('fenced');
  const mux = { cluster: { singleton: true, ...placement } };
  const lines = (): readonly StoreLine[] => storeLines(existsSync(store) ? readFileSync(store, 'utf8') : '');
  /** The process of the newest run. The first client of a node makes it start its servers once more. */
  const newestPid = (): number => lines().findLast(({ what }) => what === 'start')?.pid ?? 0;
  return { entry: { command, args: [...args, store, 'single'], mux }, lines, newestPid };
}

// They wait for leases most of the time. Each has the `expect` of its own test.
const OPTIONS = { timeout: 180_000, concurrent: true };

describe.skipIf(!hasNatsServer || process.platform === 'win32')('in a cluster', OPTIONS, () => {
  it('K1: a node that dies takes no answer with it: its calls in flight end with the reason', async ({
    expect,
  }) => {
    await using cluster = await ClusterNodes.open(
      ['a', 'b'],
      fixtureServers({ 'hold-calls': { host: 'a' } }),
    );
    await using far = await connectV1(cluster.node('b').url);
    await expect.poll(() => call(far, 'hold-calls__release', { key: 'none' }), FAILOVER).toBe('0');
    const held = call(far, 'hold-calls__hold', { key: 'k' });
    // The server has the call when it answers the next one of this client.
    await call(far, 'hold-calls__release', { key: 'none' });
    await cluster.kill('a');
    expect(await held).toContain('hold-calls');
    await expect
      .poll(() => call(far, 'hold-calls__release', { key: 'k' }), FAILOVER)
      .toContain('no node named a is there');
  });

  it.for([
    ['a', 'b'],
    ['b', 'a'],
  ] as const)(
    'K6: a call whose answer NATS loses is done once, and ends with the reason, when node %s reaches NATS again before node %s',
    async (order, { expect }) => {
      await using nats = await gatedNats(['a', 'b']);
      await using cluster = await ClusterNodes.open(
        [],
        fixtureServers({ 'hold-calls': { host: 'a' } }),
        nats.servers,
      );
      for (const name of ['a', 'b']) await cluster.start(name, { nats: nats.of(name) });
      await using near = await connectV1(cluster.node('a').url);
      await using far = await connectV1(cluster.node('b').url);
      await expect.poll(() => call(far, 'hold-calls__release', { key: 'none' }), FAILOVER).toBe('0');
      const held = call(far, 'hold-calls__hold', { key: 'k' });
      await call(far, 'hold-calls__release', { key: 'none' });
      nats.cut();
      for (const name of ['a', 'b'])
        await cluster.node(name).until(() => cluster.node(name).stderr.includes('the cluster is lost'));
      // The answer cannot leave its node now.
      expect(await call(near, 'hold-calls__release', { key: 'k' })).toBe('1');
      for (const name of order) {
        nats.join(name);
        await cluster.node(name).until(() => cluster.node(name).stderr.includes('the cluster is back'));
      }
      expect(await held).toMatch(LOST);
      await expect.poll(() => call(far, 'hold-calls__release', { key: 'none' }), FAILOVER).toBe('0');
      // A call that was sent again would wait in the server.
      expect(await call(near, 'hold-calls__release', { key: 'k' })).toBe('0');
    },
  );

  it('K4: a node that is stopped loses its servers, and ends its own runs of them when it goes on', async ({
    expect,
  }) => {
    await using folder = await temporaryFolder();
    const { entry, lines, newestPid } = singleton(folder.path);
    await using cluster = await ClusterNodes.open(['a', 'b'], { single: entry });
    const owner = await cluster.ownerOf('single');
    const [other = ''] = cluster.others(owner);
    await using client = await connectV1(cluster.node(other).url);
    await using late = await connectV1(cluster.node(owner).url);
    await expect.poll(() => call(client, 'single__effect', { nonce: 'before' })).toBe('before');
    const pid = newestPid();
    const { child } = cluster.node(owner);
    child.kill('SIGSTOP');
    const written = call(late, 'single__effect', { nonce: 'late' });
    await expect.poll(() => call(client, 'single__effect', { nonce: 'moved' }), FAILOVER).toBe('moved');
    expect(runs(pid)).toBe(true);
    child.kill('SIGCONT');
    await expect.poll(() => cluster.figure(owner, 'cluster_servers_here'), FAILOVER).toBe(0);
    await expect.poll(() => runs(pid), FAILOVER).toBe(false);
    // The call reaches the old run, whose effect the store refuses, or the new one, or it is told of the move.
    expect(await written).not.toBe('');
    expect(brokenRuns(lines())).toEqual([]);
    await expect.poll(() => call(late, 'single__effect', { nonce: 'again' }), FAILOVER).toBe('again');
  });

  it('a node that is slow keeps its servers: calls take longer, and each is done once', async ({
    expect,
  }) => {
    await using folder = await temporaryFolder();
    const { entry, lines } = singleton(folder.path);
    await using cluster = await ClusterNodes.open(['a', 'b'], { single: entry });
    const owner = await cluster.ownerOf('single');
    const [other = ''] = cluster.others(owner);
    await using far = await connectV1(cluster.node(other).url);
    await using near = await connectV1(cluster.node(owner).url);
    for (const [client, nonce] of [
      [far, 'far'],
      [near, 'near'],
    ] as const)
      await expect.poll(() => call(client, 'single__effect', { nonce }), FAILOVER).toBe(nonce);
    const { length: earlier } = lines();
    const from = performance.now();
    using _ = new SlowProcess(cluster.node(owner).child, STOPPED_MS, STOPPED_MS / 8);
    const calls = [far, near].map(
      (client, at) =>
        new Calls(async (word) => {
          const nonce = `${at}.${word.replace(' ', '.')}`;
          const text = await client.call('single__effect', { nonce });
          return text === nonce ? word : text;
        }),
    );
    await expect.poll(() => performance.now() - from, FAILOVER).toBeGreaterThan(TWO_LEASES_MS);
    await Promise.all(calls.map((each) => each.end()));
    for (const { wrong, times } of calls) {
      expect(wrong).toEqual([]);
      // Calls come in while it runs, and while it does not.
      expect(times.filter((ms) => ms > STOPPED_MS / 2).length).toBeGreaterThan(10);
    }
    const written = lines()
      .slice(earlier)
      .map(({ what }) => what);
    expect(written.length).toBe(calls.reduce((sum, { times }) => sum + times.length, 0));
    expect(new Set(written).size).toBe(written.length);
    expect(written.filter((what) => !what.startsWith('effect:'))).toEqual([]);
    expect(await cluster.figure(owner, 'cluster_servers_here')).toBe(1);
  });

  it('K5: calls go on, and changes wait, while JetStream chooses a leader', async ({ expect }) => {
    await using cluster = await ClusterNodes.open(['a'], fixtureServers({ echo: { host: 'b' } }), 3);
    await cluster.copied();
    const leader = await findBucketLeader(cluster.nats, 'mcpmux_servers');
    const rest = cluster.nats.filter((server) => server !== leader);
    await cluster.start('b', { nats: rest.slice(0, 1) });
    await cluster.start('c', { nats: rest.slice(1) });
    await using client = await connectV1(cluster.node('c').url);
    await untilAnswered(client, 'before');
    const calls = new Calls((message) => client.call('echo__echo', { message }));
    await leader?.kill();
    await using agent = await connectV1(cluster.node('c').url);
    let tries = 0;
    await expect
      .poll(async () => {
        const entry = { name: `late${(tries += 1)}`, ...fixtureCommand('echo'), persist: true };
        await call(agent, 'add_server', entry);
        return cluster.command('status').catch(String);
      }, FAILOVER)
      .toContain('late');
    await calls.end();
    expect(calls.times.length).toBeGreaterThan(10);
    expect(calls.wrong).toEqual([]);
  });

  it('K2, K7: without NATS a node keeps its servers, ends its singletons, and refuses changes with the reason', async ({
    expect,
  }) => {
    await using folder = await temporaryFolder();
    const { entry, newestPid } = singleton(folder.path, { host: 'a' });
    const servers = { ...fixtureServers({ echo: { host: 'a' } }), single: entry };
    await using cluster = await ClusterNodes.open(['a', 'b'], servers);
    await using near = await connectV1(cluster.node('a').url);
    await untilAnswered(near, 'before');
    await expect.poll(() => call(near, 'single__effect', { nonce: 'before' })).toBe('before');
    await cluster.nats[0]?.kill();
    await cluster.node('a').until(() => cluster.node('a').stderr.includes('the cluster is lost'));
    expect(await call(near, 'echo__echo', { message: 'alone' })).toBe('alone');
    const added = { name: 'late', ...fixtureCommand('echo'), persist: true };
    expect(await call(near, 'add_server', added)).toContain('no connection to the cluster');
    await expect(cluster.command('drain', 'a')).rejects.toThrow(/NATS at nats:\S+ cannot be reached/);
    const pid = newestPid();
    await expect.poll(() => runs(pid), FAILOVER).toBe(false);
    expect(await call(near, 'single__effect', { nonce: 'alone' })).toContain('cannot renew its lease');
    expect(await call(near, 'echo__echo', { message: 'still' })).toBe('still');
    await cluster.nats[0]?.start();
    await expect.poll(() => call(near, 'single__effect', { nonce: 'back' }), FAILOVER).toBe('back');
    const known = JSON.parse(await cluster.command('status', '--json')) as { name: string }[];
    expect(known.map(({ name }) => name).toSorted()).toEqual(['echo', 'single']);
  });

  it('K3: of a network that is cut in two, the part with most of NATS runs the servers of both', async ({
    expect,
  }) => {
    await using folder = await temporaryFolder();
    const { entry, lines, newestPid } = singleton(folder.path);
    await using nats = await startDividedNats();
    const [alone, ...most] = nats.servers;
    const servers = { ...fixtureServers({ echo: { host: 'a' } }), single: entry };
    await using cluster = await ClusterNodes.open([], servers, nats.servers);
    await cluster.start('a', { nats: [alone] });
    await cluster.ownerOf('single');
    for (const name of ['b', 'c']) await cluster.start(name, { nats: most });
    await using minority = await connectV1(cluster.node('a').url);
    await using majority = await connectV1(cluster.node('c').url);
    await cluster.copied();
    await untilAnswered(majority, 'before');
    await expect.poll(() => call(majority, 'single__effect', { nonce: 'before' }), FAILOVER).toBe('before');
    const pid = newestPid();
    nats.divide();
    await expect
      .poll(() => call(majority, 'single__effect', { nonce: 'of the majority' }), FAILOVER)
      .toBe('of the majority');
    expect(runs(pid)).toBe(false);
    expect(await call(minority, 'echo__echo', { message: 'alone' })).toBe('alone');
    const added = { name: 'late', ...fixtureCommand('echo'), persist: true };
    expect(await call(minority, 'add_server', added)).toMatch(/cluster|NATS/);
    nats.reconnect();
    await expect
      .poll(() => call(minority, 'single__effect', { nonce: 'together' }), FAILOVER)
      .toBe('together');
    await untilAnswered(majority, 'after');
    expect(lines().filter(({ what }) => what === 'refused')).toEqual([]);
    expect(brokenRuns(lines())).toEqual([]);
  });
});
