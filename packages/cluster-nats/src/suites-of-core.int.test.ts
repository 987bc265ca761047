import type { Cluster } from '@mcpmux/core/cluster';
import { hasNatsServer, natsServers, type NatsServer } from '@mcpmux/testing/nats-server';
import { afterAll, beforeAll, describe } from 'vitest';

import { connectNats } from './connect-nats.js';

interface Testing {
  readonly useEngine: (engine: { open(): Promise<() => Promise<Cluster>> }) => void;
}

/** A file of the tests of core: no package exports its tests, and nothing but this file needs those of another one. */
const ofCore = (name: string): string => new URL(`../../core/src/${name}.ts`, import.meta.url).href;

describe.skipIf(!hasNatsServer)('over NATS, as in memory,', async () => {
  let server: NatsServer;
  beforeAll(async () => {
    [server] = (await natsServers()) as [NatsServer];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  let count = 0;
  const { useEngine } = (await import(ofCore('testing/cluster-network'))) as Testing;
  useEngine({
    open: () => {
      const name = `suite${(count += 1)}`;
      return Promise.resolve(() => connectNats({ servers: [server.url], name }));
    },
  });
  for (const suite of ['calls', 'events', 'tasks']) await import(ofCore(`cluster/cluster-${suite}.int.test`));
});
