import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { ClusterError } from '@mcpmux/cluster';
import { findFreePorts } from '@mcpmux/testing/free-ports';
import {
  hasNatsServer,
  createNatsServer,
  startNatsServers,
  type NatsServer,
} from '@mcpmux/testing/nats-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';
import type { NatsOptions } from './nats-options.js';

const SECRET = 's3cret-word';

/** The accounts of a server, each with a user of the same name who lacks something. */
const ACCOUNTS = {
  absent: '',
  inquiry: 'jetstream: enabled,',
  making: 'jetstream: enabled,',
  full: 'jetstream: { max_file: 2K },',
  streams: 'jetstream: { max_streams: 1 },',
  consumers: 'jetstream: { max_consumers: 1 },',
};
const PERMISSIONS: Readonly<Record<string, string>> = {
  inquiry: ', permissions: { publish: { deny: "$JS.>" } }',
  making: ', permissions: { publish: { deny: "$JS.API.STREAM.CREATE.>" } }',
};
const access = Object.entries(ACCOUNTS).map(
  ([name, jetStream]) =>
    `${name} { ${jetStream} users: [{ user: ${name}, password: "${SECRET}"${PERMISSIONS[name] ?? ''} }] }`,
);

/** The error of work that fails, which names the servers and no secret. */
async function failure(work: Promise<unknown>, { servers }: NatsOptions): Promise<string> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ClusterError);
  const { message } = error as ClusterError;
  expect(message).toContain(`NATS at nats://${new URL(servers[0] ?? '').host} `);
  expect(message).not.toContain(SECRET);
  return message;
}

describe.skipIf(!hasNatsServer)(
  'NATS that does not serve an account says why, and the reader what to do',
  () => {
    let server: NatsServer;

    beforeAll(async () => {
      const [port = 0, monitorPort = 0] = await findFreePorts(2);
      server = createNatsServer({
        name: 'n0',
        port,
        monitorPort,
        cluster: '',
        access: `accounts { ${access.join('\n')} }`,
      });
      await server.start();
    });

    afterAll(() => server?.[Symbol.asyncDispose]());

    const as = (user: keyof typeof ACCOUNTS): NatsOptions => ({
      servers: [`nats://${user}:${SECRET}@${new URL(server.url).host}`],
    });

    it('the account has no JetStream', async () => {
      expect(await failure(connectNats(as('absent')), as('absent'))).toMatch(
        /has no JetStream for this account\..*jetstream: enabled/,
      );
    });

    it('the user may not ask JetStream, which no further try changes', async () => {
      const from = performance.now();
      expect(await failure(connectNats(as('inquiry')), as('inquiry'))).toMatch(
        /does not permit this user to publish to \$JS\.API\.INFO\. Permit it/,
      );
      expect(performance.now() - from).toBeLessThan(5000);
    });

    it('the user may not make a bucket', async () => {
      await using cluster = await disposable(as('making'));
      const from = performance.now();
      expect(await failure(cluster.bucket('b'), as('making'))).toContain(
        'does not permit this user to publish to $JS.API.STREAM.CREATE.KV_mcpmux_b. Permit it',
      );
      expect(performance.now() - from).toBeLessThan(5000);
    });

    it('the storage of the account is full', async () => {
      await using cluster = await disposable(as('full'));
      const bucket = await cluster.bucket('b');
      expect(await failure(bucket.create('large', Buffer.alloc(4000)), as('full'))).toMatch(
        /has no room left: .*max_file/,
      );
    });

    it('the account has all its streams', async () => {
      await using cluster = await disposable(as('streams'));
      await cluster.bucket('b');
      expect(await failure(cluster.bucket('c'), as('streams'))).toMatch(
        /allows this account no more streams: .*max_streams/,
      );
    });

    it('the bucket has all its consumers', async () => {
      await using cluster = await disposable(as('consumers'));
      const bucket = await cluster.bucket('b');
      const endWatch = await bucket.watch(() => {});
      const refused = bucket.watch(() => {});
      expect(await failure(refused, as('consumers'))).toMatch(
        /allows a bucket no more consumers: .*max_consumers/,
      );
      endWatch();
    });
  },
);

describe.skipIf(!hasNatsServer)('NATS that serves no account says why', () => {
  it('NATS runs without JetStream', async () => {
    const [port = 0] = await findFreePorts(1);
    const options = { servers: [`nats://127.0.0.1:${port}`] };
    const child = spawn(process.env['MCPMUX_NATS_SERVER'] ?? 'nats-server', [
      '-a',
      '127.0.0.1',
      '-p',
      String(port),
    ]);
    try {
      await ready(child);
      expect(await failure(connectNats(options), options)).toMatch(
        /has no JetStream\. Start nats-server with -js/,
      );
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });

  it('most of the servers are down', async () => {
    const servers = await startNatsServers(3);
    try {
      const options = { servers: [servers[0]?.url ?? ''], replicas: 3 };
      await using cluster = await disposable(options);
      const bucket = await cluster.bucket('b');
      await Promise.all(servers.slice(1).map((server) => server.kill()));
      expect(await failure(bucket.create('k', Buffer.from('1')), options)).toMatch(
        /(did not answer in time|has no leader of JetStream).*start those that are down/,
      );
    } finally {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    }
  });
});

async function disposable(options: NatsOptions) {
  const cluster = await connectNats(options);
  return {
    bucket: (name: string) => cluster.bucket(name),
    [Symbol.asyncDispose]: () => cluster.close(),
  };
}

async function ready({ stderr }: ChildProcess): Promise<void> {
  for await (const part of stderr ?? []) if (String(part).includes('Server is ready')) return;
}
