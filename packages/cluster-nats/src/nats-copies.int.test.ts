import { countReplicas } from '@mcpmux/testing/nats-leader';
import { findFreePorts } from '@mcpmux/testing/free-ports';
import { clusterBlock, hasNatsServer, createNatsServer, type NatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';

/** NATS servers that do not announce each other to clients, as in Kubernetes. */
async function silentServers(count: number): Promise<AsyncDisposable & { readonly all: NatsServer[] }> {
  const ports = await findFreePorts(count * 3);
  const routes = ports.slice(0, count);
  const all = routes.map((route, index) => {
    const [port = 0, monitorPort = 0] = ports.slice(count + 2 * index);
    const cluster = clusterBlock(route, routes).replace(/ }\n$/, ', no_advertise: true }\n');
    return createNatsServer({ name: `n${index}`, port, monitorPort, cluster });
  });
  await Promise.all(all.map((server) => server.start()));
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

describe.skipIf(!hasNatsServer)('a bucket, where nobody says how many servers of NATS keep it', () => {
  it('K19: is kept by three of them, although none of them is advertised', async () => {
    await using servers = await silentServers(3);
    const cluster = await connectNats({ servers: [servers.all[0]?.url ?? ''], name: 'silent' });
    await (await cluster.bucket('b')).create('kept', Buffer.from('1'));
    await expect.poll(() => countReplicas(servers.all, 'silent_b'), { timeout: 15_000 }).toBe(3);
    await cluster.close();
  });

  it('is kept by one of two; three copies are refused there with the number and the next step', async () => {
    await using servers = await silentServers(2);
    const urls = servers.all.map(({ url }) => url);
    const cluster = await connectNats({ servers: urls, name: 'two' });
    await (await cluster.bucket('b')).create('kept', Buffer.from('1'));
    expect(await countReplicas(servers.all, 'two_b')).toBe(1);
    const strict = await connectNats({ servers: urls, name: 'strict', replicas: 3 });
    await expect(strict.bucket('b')).rejects.toThrow(/too few servers for 3 copies.*"replicas"/);
    await Promise.all([cluster.close(), strict.close()]);
  });
});
