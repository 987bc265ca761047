import { CLUSTER_CONTRACT, ClusterError, type Cluster, type ContractEngine } from '@mcpmux/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';
import { countReplicas, findWatchServer, findBucketLeader } from '@mcpmux/testing/nats-leader';
import { openTcpGate, type TcpGate } from '@mcpmux/testing/tcp-gate';
import { hasNatsServer, startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';

describe.skipIf(!hasNatsServer)('a cluster over NATS', () => {
  let server: NatsServer;
  const opened: Cluster[] = [];
  const join = async (): Promise<Cluster> => {
    const cluster = await connectNats({ servers: [server.url], name: 'contract' });
    opened.push(cluster);
    return cluster;
  };
  beforeAll(async () => {
    [server] = (await startNatsServers()) as [NatsServer];
  });
  afterAll(async () => {
    await Promise.all(opened.map((cluster) => cluster.close()));
    await server[Symbol.asyncDispose]();
  });

  for (const { name, check } of CLUSTER_CONTRACT)
    it(`keeps the promise: ${name}`, async () => {
      const gates = new Map<Cluster, TcpGate>();
      try {
        await expect(
          check({ join: () => joinBy(gates, server), connect: gated(gates) }),
        ).resolves.toBeUndefined();
      } finally {
        await Promise.all([...gates.keys()].map((cluster) => cluster.close()));
        await Promise.all([...gates.values()].map((gate) => gate[Symbol.asyncDispose]()));
      }
    });

  it('goes on after a restart of the server: watches, mailboxes and changes', async () => {
    const [one, two] = [await join(), await join()];
    const reported: string[] = [];
    const bucket = await two.bucket('restart');
    await bucket.watch(({ key }) => reported.push(key));
    const mail: string[] = [];
    two.mailbox('restart', {
      message: (data) => mail.push(Buffer.from(data).toString()),
      nobody: () => undefined,
    });
    const states: boolean[] = [];
    one.onConnection((isConnected) => states.push(isConnected));
    await server.kill();
    await expect.poll(() => one.isConnected).toBe(false);
    await expect(one.bucket('restart')).rejects.toBeInstanceOf(ClusterError);
    await server.start();
    await expect.poll(() => one.isConnected && two.isConnected).toBe(true);
    expect(states).toEqual([false, true]);
    const sender = one.mailbox('sender', { message: () => undefined, nobody: () => undefined });
    // The subscription of the other node may arrive at the new server a moment after its connection.
    await expect
      .poll(() => {
        sender.send('restart', Buffer.from('after'));
        return mail;
      })
      .toContain('after');
    await expect
      .poll(
        async () => (await settledOf((await one.bucket('restart')).create('after', Buffer.from('1')))).status,
      )
      .toBe('fulfilled');
    await expect.poll(() => reported).toContain('after');
  });
});

/** Three servers elect a leader within some seconds of the processor, which other tests use as well. */
const ELECTION_MS = 90_000;

describe.skipIf(!hasNatsServer)('a cluster over three servers of NATS', () => {
  it('is kept by all three, although one of them was away when the first node came', async () => {
    const servers = await startNatsServers(3);
    try {
      await servers[2]?.kill();
      const cluster = await connectNats({ servers: [servers[0]?.url ?? ''], name: 'spread' });
      const bucket = await cluster.bucket('b');
      await bucket.create('kept', Buffer.from('1'));
      await servers[2]?.start();
      await expect.poll(() => countReplicas(servers, 'spread_b'), { timeout: ELECTION_MS }).toBe(3);
      await (await findBucketLeader(servers, 'spread_b'))?.kill();
      await expect
        .poll(() => bucket.get('kept').then(() => 'kept', String), { timeout: ELECTION_MS })
        .toBe('kept');
      await cluster.close();
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    }
  }, 240_000);
});

describe.skipIf(!hasNatsServer)('a watch', () => {
  it('goes on after seconds when the server that feeds it is gone, and repeats no change', async () => {
    const servers = await startNatsServers(3);
    try {
      const cluster = await connectNats({ servers: servers.map(({ url }) => url), name: 'fed', replicas: 3 });
      const bucket = await cluster.bucket('b');
      await expect.poll(() => countReplicas(servers, 'fed_b'), { timeout: 15_000 }).toBe(3);
      const reported: string[] = [];
      const stop = await bucket.watch(({ key, value }) => reported.push(`${key} ${value === undefined}`));
      const gone = await bucket.create('gone', Buffer.from('1'));
      // A bucket keeps the last change to a key: a watch that is late would not report this one.
      await expect.poll(() => reported).toEqual(['gone false']);
      await bucket.delete('gone', gone);
      await bucket.create('before', Buffer.from('1'));
      await expect.poll(() => reported).toEqual(['gone false', 'gone true', 'before false']);
      await (await findWatchServer(servers, 'fed_b'))?.kill();
      const created = async (): Promise<unknown> => {
        await settledOf(bucket.create('after', Buffer.from('1')));
        return bucket.get('after').catch(() => undefined);
      };
      await expect.poll(created, { timeout: 20_000 }).toBeDefined();
      await expect.poll(() => reported, { timeout: 20_000 }).toContain('after false');
      expect(reported).toEqual(['gone false', 'gone true', 'before false', 'after false']);
      stop();
      await cluster.close();
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    }
  });
});

describe('connecting to NATS', () => {
  it('fails with the address, and without the password, when nothing answers', async () => {
    const connecting = connectNats({ servers: ['nats://ann:s3cret-word@127.0.0.1:1'] });
    const { reason } = await settledOf(connecting);
    expect(reason).toBeInstanceOf(ClusterError);
    expect(String(reason)).toContain('nats://127.0.0.1:1');
    expect(String(reason)).not.toContain('s3cret-word');
  });
});

/** Opens a connection through a gate of its own. */
async function joinBy(gates: Map<Cluster, TcpGate>, { url }: NatsServer): Promise<Cluster> {
  const gate = await openTcpGate(Number(new URL(url).port));
  const cluster = await connectNats({ servers: [`nats://127.0.0.1:${gate.port}`], name: 'contract' });
  gates.set(cluster, gate);
  return cluster;
}

function gated(gates: ReadonlyMap<Cluster, TcpGate>): ContractEngine['connect'] {
  return (cluster, isConnected) => {
    const gate = gates.get(cluster);
    if (isConnected) gate?.open();
    else gate?.shut();
  };
}

async function settledOf(work: Promise<unknown>): Promise<{ status: string; reason?: unknown }> {
  const [settled] = await Promise.allSettled([work]);
  return settled ?? { status: '' };
}
