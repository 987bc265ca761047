import { expect, it } from 'vitest';

import { nullLogger } from '../base/logger.js';
import { systemClock } from '../base/clock.js';
import type { Bucket, BucketChange } from './cluster.js';
import { Directory } from './directory.js';
import { GoneNodes } from './gone-nodes.js';
import { MemoryNetwork } from './memory-network.js';
import { Ownership } from './ownership.js';
import { encodeRecord, keyOf } from './records.js';

const LEASE_MS = 10_000;
const NODE = { name: 'a', labels: [], capacity: 1, version: '1', servers: 0, isDraining: false, started: '' };

/** A bucket whose watch brings what the test says. */
async function watched(name: string, network: MemoryNetwork) {
  const bucket = await network.join().bucket(name);
  const heard: ((change: BucketChange) => void)[] = [];
  const watch: Bucket['watch'] = (onChange) => {
    heard.push(onChange);
    return Promise.resolve(() => undefined);
  };
  const gated: Bucket = {
    get: (key) => bucket.get(key),
    create: (key, value) => bucket.create(key, value),
    update: (key, value, revision) => bucket.update(key, value, revision),
    delete: (key, revision) => bucket.delete(key, revision),
    watch,
  };
  return { bucket: gated, tell: (change: BucketChange) => heard.forEach((hear) => hear(change)) };
}

async function rig() {
  const network = new MemoryNetwork();
  const [servers, nodes, owners] = await Promise.all(
    ['servers', 'nodes', 'owners'].map((name) => watched(name, network)),
  );
  if (servers === undefined || nodes === undefined || owners === undefined) throw new TypeError('no bucket');
  let now = 0;
  const clock = { ...systemClock, now: () => now };
  const directory = new Directory(clock, LEASE_MS, () => undefined);
  await directory.follow({ servers: servers.bucket, nodes: nodes.bucket, owners: owners.bucket });
  const parts = { id: 'me', leaseMs: LEASE_MS, logger: nullLogger, directory };
  const gone = new GoneNodes({ ...parts, nodes: nodes.bucket });
  const ownership = new Ownership({
    ...parts,
    name: 'me',
    owners: owners.bucket,
    servers: servers.bucket,
    clock,
    gone,
    lookAgain: () => undefined,
  });
  return { nodes, owners, directory, gone, ownership, advance: (ms: number) => (now += ms) };
}

it('a node whose last sign of life the watch has lost is gone when that sign of life is too old', async () => {
  const { nodes, directory, gone, advance } = await rig();
  const first = encodeRecord({ ...NODE, renewal: 1 });
  const revision = await nodes.bucket.create('a', first);
  nodes.tell({ key: 'a', value: first, revision });
  await nodes.bucket.update('a', encodeRecord({ ...NODE, renewal: 2 }), revision);
  advance(LEASE_MS);
  expect(directory.nodes().get('a')?.isAlive).toBe(false);
  expect(await gone.isGone('a')).toBe(false);
  expect(directory.nodes().get('a')?.isAlive).toBe(true);
  advance(LEASE_MS);
  expect(directory.nodes().get('a')?.isAlive).toBe(false);
  expect(await gone.isGone('a')).toBe(true);
});

it('a change of an owner that the watch has lost is heard when a claim reads the owner', async () => {
  const { owners, directory, ownership } = await rig();
  const owner = { node: 'a', name: 'a', epoch: 1 };
  const key = keyOf('echo');
  const revision = await owners.bucket.create(key, encodeRecord(owner));
  owners.tell({ key, value: encodeRecord(owner), revision });
  await owners.bucket.update(key, encodeRecord({ node: 'b', name: 'b', epoch: 2 }), revision);
  // Node a has no record: it is gone.
  ownership.claim('echo', owner);
  await ownership.whenIdle();
  expect(directory.owners.get('echo')).toMatchObject({ node: 'b', epoch: 2 });
});
