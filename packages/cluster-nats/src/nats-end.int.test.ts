import { ClusterNode, encodeRecord, keyOf, type Cluster } from '@mcpmux/cluster';
import { nullLogger, systemClock } from '@mcpmux/core';
import { hasNatsServer, startNatsServers, type NatsServer } from '@mcpmux/testing/nats-server';
import { describe, expect, it } from 'vitest';

import { connectNats } from './connect-nats.js';

const SERVERS = 40;
/** The limit of an orderly end, in milliseconds. */
const END_MS = 5000;

describe.skipIf(!hasNatsServer)('the end of a connection', () => {
  it('comes in seconds while the server of NATS hangs', async () => {
    await using rig = await connected();
    await rig.cluster.bucket('b');
    rig.server.sendSignal('SIGSTOP');
    expect(await msOf(rig.cluster.close())).toBeLessThan(END_MS);
  });

  it('ends the wait for a bucket and for a watch with it', async () => {
    await using rig = await connected();
    const bucket = await rig.cluster.bucket('b');
    rig.server.sendSignal('SIGSTOP');
    const ended = Promise.allSettled([rig.cluster.bucket('c'), bucket.watch(() => undefined)]);
    await rig.cluster.close();
    expect(await msOf(ended)).toBeLessThan(500);
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe.skipIf(!hasNatsServer)('the end of a node with many servers', () => {
  it('comes in seconds while the server of NATS hangs', async () => {
    await using rig = await connected();
    const node = await owner(rig.cluster);
    rig.server.sendSignal('SIGSTOP');
    expect(await msOf(node.close().then(() => rig.cluster.close()))).toBeLessThan(END_MS);
  });

  it('comes in two seconds while NATS answers, and nobody owns the servers afterwards', async () => {
    await using rig = await connected();
    const node = await owner(rig.cluster);
    expect(await msOf(node.close())).toBeLessThan(2000);
    const owners = await rig.cluster.bucket('owners');
    const texts = await Promise.all(
      names().map(async (name) => Buffer.from((await owners.get(keyOf(name)))?.value ?? []).toString()),
    );
    expect(new Set(texts.map((text) => text.includes('"node"')))).toEqual(new Set([false]));
  });
});

interface Connected extends AsyncDisposable {
  readonly server: NatsServer;
  readonly cluster: Cluster;
}

async function connected(): Promise<Connected> {
  const [server] = (await startNatsServers()) as [NatsServer];
  const cluster = await connectNats({ servers: [server.url] });
  return {
    server,
    cluster,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await cluster.close();
    },
  };
}

/** A node that owns all servers of its cluster. */
async function owner(cluster: Cluster): Promise<ClusterNode> {
  const settings = { id: 'a-1', name: 'a', labels: [], capacity: 100, version: '1.0.0', leaseMs: 10_000 };
  const host = { place: () => Promise.resolve(), hasten: () => undefined };
  const node = new ClusterNode(cluster, { ...settings, clock: systemClock, logger: nullLogger }, host);
  await node.start();
  const servers = await cluster.bucket('servers');
  await Promise.all(names().map((name) => servers.create(keyOf(name), encodeRecord({ spec: {} }))));
  const here = (): number => [...node.places.values()].filter(({ kind }) => kind === 'here').length;
  await expect.poll(here, { timeout: 10_000 }).toBe(SERVERS);
  return node;
}

function names(): readonly string[] {
  return Array.from({ length: SERVERS }, (_, index) => `s${index}`);
}

async function msOf(work: Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work;
  return performance.now() - from;
}
