import { describe, expect, it } from 'vitest';
import { hasNatsServer, startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';

import { connectNats } from './connect-nats.js';

const NODES = 8;
/** Enough for the crash in most runs, when nobody waits for the store. */
const BUCKETS = 60;

describe.skipIf(!hasNatsServer)('nodes that join a new cluster at the same moment', () => {
  it('read a bucket only when the server has its store: nats-server 2.9.10 crashes before', async () => {
    const [server] = (await startNatsServers()) as [NatsServer];
    const servers = [server.url];
    const nodes = await Promise.all(
      Array.from({ length: NODES }, () => connectNats({ servers, name: 'first' })),
    );
    const read = async (node: (typeof nodes)[number], name: string): Promise<unknown> =>
      (await node.bucket(name)).get('absent');
    try {
      for (let bucket = 0; bucket < BUCKETS; bucket += 1)
        await expect(Promise.all(nodes.map((node) => read(node, `b${bucket}`)))).resolves.toEqual(
          nodes.map(() => undefined),
        );
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
      await server[Symbol.asyncDispose]();
    }
  });
});
