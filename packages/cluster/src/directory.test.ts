import { ManualClock } from '@mcpmux/testing/manual-clock';
import { expect, it } from 'vitest';

import type { Bucket, BucketChange } from './cluster.js';
import { Directory } from './directory.js';
import { encodeRecord, keyOf, type NodeRecord } from './records.js';

const LEASE_MS = 1000;

/** A bucket of which a test reports the changes. */
class ReportingBucket implements Bucket {
  report: (change: BucketChange) => void = () => undefined;
  private revision = 0;

  constructor(private readonly entries = new Map<string, Uint8Array>()) {}

  get(key: string) {
    const value = this.entries.get(key);
    return Promise.resolve(value && { value, revision: this.revision });
  }

  put(key: string, value: Uint8Array, revision: number): void {
    this.entries.set(key, value);
    this.revision = revision;
    this.report({ key, value, revision });
  }

  create = (): Promise<number> => Promise.reject(new Error('not used'));
  update = (): Promise<number> => Promise.reject(new Error('not used'));
  delete = (): Promise<void> => Promise.reject(new Error('not used'));

  watch(onChange: (change: BucketChange) => void): Promise<() => void> {
    this.report = onChange;
    return Promise.resolve(() => undefined);
  }
}

async function directories() {
  const clock = new ManualClock();
  const [servers, nodes, owners] = [new ReportingBucket(), new ReportingBucket(), new ReportingBucket()];
  const directory = new Directory(clock, LEASE_MS, () => undefined);
  await directory.follow({ servers, nodes, owners });
  return { clock, directory, nodes, owners };
}

function sign(renewal: number): Uint8Array {
  const state = {
    name: 'a',
    labels: [],
    capacity: 1,
    servers: 0,
    isDraining: false,
    version: '1',
    started: '',
  };
  const record: NodeRecord = { ...state, renewal };
  return encodeRecord(record);
}

it('a sign of life that is reported again revives no node, whatever its revision is', async () => {
  const { clock, directory, nodes } = await directories();
  const isAlive = (): boolean | undefined => directory.nodes().get('a-1')?.isAlive;
  nodes.put('a-1', sign(1), 10);
  expect(isAlive()).toBe(true);
  clock.advance(LEASE_MS);
  expect(isAlive()).toBe(false);
  nodes.put('a-1', sign(1), 5);
  expect(isAlive()).toBe(false);
  nodes.put('a-1', sign(2), 6);
  expect(isAlive()).toBe(true);
});

it('epochs grow though revisions fall, and go on when no record is left', async () => {
  const { directory, owners } = await directories();
  expect(directory.nextEpoch).toBe(1);
  owners.put('echo', encodeRecord({ node: 'a-1', name: 'a', epoch: 90 }), 127);
  expect(directory.nextEpoch).toBe(128);
  owners.put('echo', encodeRecord({ node: 'b-1', name: 'b', epoch: 128 }), 119);
  expect(directory.nextEpoch).toBe(129);
  owners.put('echo', encodeRecord({ epoch: 300 }), 120);
  expect(directory.owners.has('echo')).toBe(false);
  expect(directory.nextEpoch).toBe(301);
  owners.report({ key: keyOf('gone'), value: undefined, revision: 400 });
  expect(directory.nextEpoch).toBe(401);
});

it('what the cluster says of the servers of a node wins over a late watch', async () => {
  const { directory, owners } = await directories();
  const own = encodeRecord({ node: 'a-1', name: 'a', epoch: 1 });
  owners.put('moved', own, 1);
  owners.put('kept', own, 2);
  const late = owners.report;
  owners.report = () => undefined;
  owners.put('moved', encodeRecord({ node: 'b-1', name: 'b', epoch: 3 }), 3);
  owners.report = late;
  await directory.readOwners({ servers: owners, nodes: owners, owners }, 'a-1');
  expect(directory.owners.get('moved')).toEqual({ node: 'b-1', name: 'b', epoch: 3 });
  expect(directory.owners.get('kept')).toEqual({ node: 'a-1', name: 'a', epoch: 1 });
});
