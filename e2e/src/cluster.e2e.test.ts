import { hasNatsServer } from '@mcpmux/testing/nats-server';
import { roundRobin } from '@mcpmux/testing/round-robin';
import { describe, expect, it } from 'vitest';

import { ClusterNodes, fixtureServers } from './testing/cluster-nodes.js';
import { HTTP_CLIENTS, connectV1, type HttpClient } from './testing/http-clients.js';

/** What the issue of a dead node may take, in milliseconds. */
const FAILOVER_MS = 15_000;

/** Calls until the server answers, and gives the milliseconds that it took. */
async function untilAnswered(client: HttpClient, message: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const text = await client.call('echo__echo', { message }).catch((error: unknown) => String(error));
    if (text === message) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

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
      await using balancer = await roundRobin(cluster.urls);
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

  it('starts the servers of a killed node on another one, within 15 seconds', async () => {
    await using cluster = await ClusterNodes.open(['a', 'b'], fixtureServers({ echo: {} }));
    const owner = await cluster.ownerOf('echo');
    const other = [...cluster.nodes.keys()].find((name) => name !== owner) ?? '';
    await using client = await connectV1(cluster.node(other).url);
    await untilAnswered(client, 'before');
    await cluster.kill(owner);
    expect(await untilAnswered(client, 'after')).toBeLessThan(FAILOVER_MS);
    expect(await cluster.ownerOf('echo')).toBe(other);
  });

  it('goes on where it is while NATS is gone, and as a cluster when NATS is back', async () => {
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

  it('gives its servers away at once when a node is told to end', async () => {
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
});
