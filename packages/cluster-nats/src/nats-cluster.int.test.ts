import { CLUSTER_CONTRACT, ClusterError, type Cluster } from '@mcpmux/core/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';
import { hasNatsServer, natsServers, type NatsServer } from '@mcpmux/testing/nats-server';

describe.skipIf(!hasNatsServer)('a cluster over NATS', () => {
  let server: NatsServer;
  const opened: Cluster[] = [];
  const join = async (): Promise<Cluster> => {
    const cluster = await connectNats({ servers: [server.url], name: 'contract' });
    opened.push(cluster);
    return cluster;
  };
  beforeAll(async () => {
    [server] = (await natsServers()) as [NatsServer];
  });
  afterAll(async () => {
    await Promise.all(opened.map((cluster) => cluster.close()));
    await server[Symbol.asyncDispose]();
  });

  for (const { name, check } of CLUSTER_CONTRACT)
    it(`keeps the promise: ${name}`, () => expect(check(join)).resolves.toBeUndefined());

  it('goes on after a restart of the server: watches, mailboxes and changes', async () => {
    const [one, two] = [await join(), await join()];
    const told: string[] = [];
    const bucket = await two.bucket('restart');
    await bucket.watch(({ key }) => told.push(key));
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
    sender.send('restart', Buffer.from('after'));
    await expect.poll(() => mail).toContain('after');
    await expect
      .poll(
        async () => (await settledOf((await one.bucket('restart')).create('after', Buffer.from('1')))).status,
      )
      .toBe('fulfilled');
    await expect.poll(() => told).toContain('after');
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

async function settledOf(work: Promise<unknown>): Promise<{ status: string; reason?: unknown }> {
  const [settled] = await Promise.allSettled([work]);
  return settled ?? { status: '' };
}
