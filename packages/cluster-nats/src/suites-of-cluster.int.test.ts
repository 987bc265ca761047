import type { Cluster } from '@mcpmux/cluster';
import { hasNatsServer, startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';
import { afterAll, beforeAll, describe } from 'vitest';

import { connectNats } from './connect-nats.js';

interface Testing {
  readonly useEngine: (engine: { open(): Promise<() => Promise<Cluster>> }) => void;
}

/** A file of the tests of cluster: no package exports its tests, and nothing but this file needs those of another one. */
const ofCluster = (name: string): string => new URL(`../../cluster/src/${name}.ts`, import.meta.url).href;

describe.skipIf(!hasNatsServer)('over NATS, as in memory,', async () => {
  let server: NatsServer;
  beforeAll(async () => {
    [server] = (await startNatsServers()) as [NatsServer];
  });
  afterAll(() => server[Symbol.asyncDispose]());

  let count = 0;
  const { useEngine } = (await import(ofCluster('testing/cluster-network'))) as Testing;
  useEngine({
    open: () => {
      const name = `suite${(count += 1)}`;
      return Promise.resolve(() => connectNats({ servers: [server.url], name }));
    },
  });
  for (const suite of ['calls', 'events', 'tasks']) await import(ofCluster(`cluster-${suite}.int.test`));
});
