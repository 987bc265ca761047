import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { findFreePorts } from '@mcpmux/testing/free-ports';
import { hasNatsServer, createNatsServer, type NatsServer } from '@mcpmux/testing/nats-server';
import { temporaryFolder, type TemporaryFolder } from '@mcpmux/testing/temporary-folder';
import type { Cluster } from '@mcpmux/cluster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';
import { NatsOperator } from './testing/nats-jwt.js';

const HOUR = 3600;

describe.skipIf(!hasNatsServer)('NATS with an operator, whose users have files of credentials', () => {
  const operator = new NatsOperator();
  let server: NatsServer;
  let folder: TemporaryFolder;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const [port = 0, monitorPort = 0] = await findFreePorts(2);
    server = createNatsServer({ name: 'n0', port, monitorPort, cluster: '', access: operator.access });
    await server.start();
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  /** A node with credentials of that many seconds. */
  async function node(name: string, seconds: number): Promise<Node> {
    const file = join(folder.path, name);
    const periods: string[][] = [[]];
    writeFileSync(file, operator.credentials(seconds));
    // NATS counts in whole seconds, and accepts a connection in the last of them.
    const expiredAt = (Math.floor(Date.now() / 1000) + seconds + 1) * 1000;
    const onRefused = (problem: string): void => void periods.at(-1)?.push(problem);
    const cluster = await connectNats({ servers: [server.url], credentialsFile: file, onRefused });
    return { cluster, file, periods, expiredAt, [Symbol.asyncDispose]: () => cluster.close() };
  }

  it('is used with the credentials of a file', async () => {
    await using one = await node('a.creds', HOUR);
    const bucket = await one.cluster.bucket('b');
    await bucket.create('key', Buffer.from('1'));
    expect(Buffer.from((await bucket.get('key'))?.value ?? []).toString()).toBe('1');
  });

  it('refuses a file that holds no credentials, with the reason and without its text', async () => {
    const file = join(folder.path, 'broken.creds');
    writeFileSync(file, 's3cret-word');
    const connecting = connectNats({ servers: [server.url], credentialsFile: file });
    await expect(connecting).rejects.toThrow('unable to parse credentials');
    await expect(connecting).rejects.not.toThrow('s3cret-word');
  });

  it('K10: is used again by a node whose credentials have expired, as soon as its file has others', async () => {
    await using one = await node('expiring.creds', 2);
    one.cluster.onConnection((isConnected) => void (isConnected && one.periods.push([])));
    await expect.poll(() => one.cluster.isConnected, { timeout: 10_000 }).toBe(false);
    // A connection that is made again in the last second is lost once more. No connection after it is accepted.
    await expect.poll(() => Date.now(), { timeout: 10_000 }).toBeGreaterThan(one.expiredAt);
    // The client of NATS gives up after two refusals, if it is not told to go on.
    const expired = await refusedTimes(server);
    await expect.poll(() => refusedTimes(server), { timeout: 15_000 }).toBeGreaterThan(expired + 2);
    // Where the server refuses a connection in the moment in which it is made, the next try reports the refusal.
    await expect.poll(() => one.periods.at(-1), { timeout: 15_000 }).toHaveLength(1);
    writeFileSync(one.file, 'half of a fi');
    const before = await refusedTimes(server);
    await expect.poll(() => refusedTimes(server), { timeout: 15_000 }).toBeGreaterThan(before);
    writeFileSync(one.file, operator.credentials(HOUR));
    await expect.poll(() => one.cluster.isConnected, { timeout: 10_000 }).toBe(true);
    expect((await one.cluster.bucket('b')) !== undefined).toBe(true);
    // Each loss is reported at most once, however often the server refuses a connection after it.
    expect(Math.max(...one.periods.map(({ length }) => length))).toBe(1);
    expect(one.periods.flat()[0]).toMatch(/authentication expired|authorization violation/i);
  }, 40_000);
});

interface Node extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly file: string;
  /** The refusals that were reported between two connections. */
  readonly periods: string[][];
  /** The time from which the server accepts these credentials no more, in milliseconds. */
  readonly expiredAt: number;
}

/** How many connections the server has had: one that it refuses is one of them. */
async function refusedTimes({ monitorUrl }: NatsServer): Promise<number> {
  const answer = await fetch(new URL('/varz', monitorUrl));
  return ((await answer.json()) as { total_connections: number }).total_connections;
}
