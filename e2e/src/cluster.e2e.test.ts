import { fixtureCommand } from '@mcpmux/test-servers';
import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { openRoundRobin } from '@mcpmux/testing/round-robin';
import { describe, expect, it } from 'vitest';

import { untilAnswered } from './testing/cluster-calls.js';
import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { ACCEPT, type HttpCli, type RawAnswer } from './testing/http-cli.js';
import { HTTP_CLIENTS, connectV1 } from './testing/http-clients.js';

/** What the issue of a dead node may take, in milliseconds. */
const FAILOVER_MS = 15_000;

describe.skipIf(!hasNatsServer)('mcpmux as a cluster on NATS', () => {
  describe.each(HTTP_CLIENTS)('for the %s behind a balancer that knows nothing of sessions', (_, connect) => {
    it('is one mcpmux: calls, progress, lists that change', async () => {
      await using cluster = await ClusterNodes.open(
        ['a', 'b', 'c'],
        fixtureServers({
          echo: {},
          progress: { host: 'b' },
          'changing-tools': { host: 'c' },
        }),
      );
      await using balancer = await openRoundRobin(cluster.urls);
      await using client = await connect(balancer.url);
      await expect.poll(() => client.tools()).toContain('changing-tools__add_tool');
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_one, n) => client.call('echo__echo', { message: `m${n}` })),
      );
      expect(answers).toEqual(Array.from({ length: 30 }, (_one, n) => `m${n}`));
      const steps: number[] = [];
      await client.call('progress__count', { n: 5 }, { onProgress: ({ progress }) => steps.push(progress) });
      expect(steps).toEqual([1, 2, 3, 4, 5]);
      const announced = client.nextListChanged();
      await client.call('changing-tools__add_tool', { name: 'late' });
      await announced;
      await expect.poll(() => client.tools()).toContain('changing-tools__late');
    });
  });

  it('K1: starts the servers of a killed node on another one, within 15 seconds', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ echo: {} }));
    const owner = await cluster.ownerOf('echo');
    const other = [...cluster.nodes.keys()].find((name) => name !== owner) ?? '';
    await using client = await connectV1(cluster.node(other).url);
    await untilAnswered(client, 'before');
    await cluster.kill(owner);
    expect(await untilAnswered(client, 'after')).toBeLessThan(FAILOVER_MS);
    expect(await cluster.ownerOf('echo')).toBe(other);
  });

  it('K1: starts all servers of a killed node on other nodes, within 15 seconds', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `echo${index}`);
    const servers = Object.fromEntries(names.map((name) => [name, fixtureCommand('echo')]));
    await using cluster = await ClusterNodes.open(['a'], servers);
    await expect.poll(() => cluster.figure('a', 'cluster_servers_here')).toBe(names.length);
    for (const name of ['b', 'c']) await cluster.start(name);
    await using client = await connectV1(cluster.node('b').url);
    const answers = (message: string): Promise<readonly number[]> =>
      Promise.all(names.map((name) => untilAnswered(client, message, `${name}__echo`)));
    await answers('before');
    await cluster.kill('a');
    const times = await answers('after');
    expect(Math.max(...times)).toBeLessThan(FAILOVER_MS);
    const here = await Promise.all(['b', 'c'].map((name) => cluster.figure(name, 'cluster_servers_here')));
    expect(here.reduce((sum, count) => sum + count)).toBe(names.length);
    // Both take their part.
    expect(Math.min(...here)).toBeGreaterThan(0);
  });

  it('carries a result that is longer than a message of NATS from another node', async () => {
    const bytes = 5_000_000;
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ oversized: { host: 'a' } }));
    await using near = await connectV1(cluster.node('a').url);
    await expect.poll(() => near.call('oversized__big', { bytes: 1 }).catch(String)).toHaveLength(1);
    const whole = await near.call('oversized__big', { bytes });
    for (const [, connect] of HTTP_CLIENTS) {
      await using far = await connect(cluster.node('b').url);
      await expect.poll(() => far.call('oversized__big', { bytes: 1 }).catch(String)).toHaveLength(1);
      const text = await far.call('oversized__big', { bytes });
      expect(text).toHaveLength(bytes);
      expect(text === whole).toBe(true);
    }
  });

  it('K2: goes on where it is while NATS is gone, and as a cluster when NATS is back', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ echo: { host: 'a' } }));
    const [nats] = cluster.nats;
    await using near = await connectV1(cluster.node('a').url);
    await using far = await connectV1(cluster.node('b').url);
    await untilAnswered(far, 'before');
    await nats?.kill();
    await cluster
      .node('a')
      .until(() => cluster.node('a').stderr.includes('the connection to the cluster is lost'));
    await expect(near.call('echo__echo', { message: 'alone' })).resolves.toBe('alone');
    await nats?.start();
    await untilAnswered(far, 'together');
    await expect(near.call('echo__echo', { message: 'still' })).resolves.toBe('still');
  });

  it('K18: gives its servers away at once when a node is told to end', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ echo: {} }));
    const owner = await cluster.ownerOf('echo');
    const other = [...cluster.nodes.keys()].find((name) => name !== owner) ?? '';
    await using client = await connectV1(cluster.node(other).url);
    await untilAnswered(client, 'before');
    const node = cluster.node(owner);
    cluster.nodes.delete(owner);
    node.child.kill('SIGTERM');
    await node.ended;
    expect(await untilAnswered(client, 'after')).toBeLessThan(5000);
  });

  it('takes the answers of a user on any node, wherever the call began', async () => {
    await using cluster = await ClusterNodes.open(
      ['a', 'b'],
      fixtureServers({ 'modern-asking': { host: 'a' }, interactive: { host: 'a' } }),
    );
    const [a, b] = [cluster.node('a'), cluster.node('b')];
    const listed = async (): Promise<string> => (await modern(b, 'tools/list')).text;
    await expect.poll(listed).toContain('modern-asking__form');
    await expect.poll(listed).toContain('interactive__ask');
    const kept = { name: 'modern-asking__form', arguments: {} };
    const first = await asked(b, kept);
    expect(first.resultType).toBe('input_required');
    expect((await asked(a, retryOf(kept, first))).resultType).toBe('complete');
    const params = { message: 'sure?', requestedSchema: { type: 'object', properties: {} } };
    const held = { name: 'interactive__ask', arguments: { method: 'elicitation/create', params } };
    for (const [began, goesOn] of [
      [b, a],
      [a, b],
      [b, b],
    ] as const) {
      const second = await asked(began, held);
      expect(second.resultType).toBe('input_required');
      const retry = retryOf(held, second);
      expect((await asked(goesOn, retry)).resultType).toBe('complete');
      const again = await modern(began, 'tools/call', retry);
      expect(again.text).toContain('-32602');
      expect(again.text).toContain('Invalid or expired requestState: it was used before');
    }
  });

  it('has what an agent adds for good on every node, until it is removed', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], {});
    await using one = await connectV1(cluster.node('a').url);
    await using other = await connectV1(cluster.node('b').url);
    const entry = { name: 'late', ...fixtureCommand('echo'), persist: true };
    await one.call('add_server', entry);
    await expect.poll(() => other.tools()).toContain('late__echo');
    await expect.poll(() => other.call('late__echo', { message: 'far' }).catch(String)).toBe('far');
    await expect.poll(() => one.call('late__echo', { message: 'near' }).catch(String)).toBe('near');
    const env = { API_TOKEN: 'sk-abcdefghijklmnopqrstuv' };
    const refused = await one.call('add_server', { ...entry, name: 'clear', env }).catch(String);
    expect(refused).toContain('API_TOKEN');
    expect(refused).not.toContain(env.API_TOKEN);
    const owner = await cluster.ownerOf('late');
    const far = owner === 'a' ? other : one;
    const runs = (): number => cluster.node(owner).stderr.split('[late] started a server process').length;
    const before = runs();
    await expect(far.call('reload_server', { name: 'late' })).resolves.toContain('late__echo');
    // Its log and its answer come by different ways.
    await expect.poll(runs).toBe(before + 1);
    await expect(far.call('remove_server', { name: 'late' })).resolves.toContain('"forgotten":true');
    for (const client of [one, other]) await expect.poll(() => client.tools()).not.toContain('late__echo');
    expect(JSON.parse(await cluster.command('status', '--json'))).toEqual([]);
  });

  it('is shown and drained by commands', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ echo: {} }));
    const owner = await cluster.ownerOf('echo');
    const other = [...cluster.nodes.keys()].find((name) => name !== owner) ?? '';
    await using client = await connectV1(cluster.node(owner).url);
    await untilAnswered(client, 'before');
    expect(JSON.parse(await cluster.command('status', '--json'))).toMatchObject([{ name: 'echo' }]);
    const nodes = JSON.parse(await cluster.command('nodes', '--json')) as { name: string }[];
    expect(nodes.map(({ name }) => name).toSorted()).toEqual(['a', 'b']);
    await cluster.command('drain', owner);
    await expect.poll(() => cluster.ownerOf('echo')).toBe(other);
    await untilAnswered(client, 'after');
    expect(await cluster.command('nodes')).toContain('drained');
  });
});

interface Asked {
  readonly resultType: string;
  readonly requestState?: string;
  readonly inputRequests?: Readonly<Record<string, unknown>>;
}

/** The result of a call of a tool on a node. */
async function asked(node: HttpCli, call: { readonly name: string }): Promise<Asked> {
  const { text } = await modern(node, 'tools/call', call);
  const line = text.startsWith('{')
    ? text
    : (text.split('\n').findLast((one) => one.startsWith('data: {')) ?? '');
  return (JSON.parse(line.replace('data: ', '')) as { readonly result: Asked }).result;
}

/** The same call with the answers of the user. */
function retryOf<Call extends object>(call: Call, { inputRequests = {}, requestState }: Asked) {
  const keys = Object.keys(inputRequests);
  const inputResponses = Object.fromEntries(
    keys.map((key) => [key, { action: 'accept', content: { who: 'Ann' } }]),
  );
  return { ...call, inputResponses, requestState };
}

/** Sends a request of 2026-07-28 to a node. */
function modern(node: HttpCli, method: string, params: { readonly name?: string } = {}): Promise<RawAnswer> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const headers = {
    ...ACCEPT,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(params.name !== undefined && { 'mcp-name': params.name }),
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return node.send({ method: 'POST', headers, body });
}
