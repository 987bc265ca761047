import { nullLogger } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { describe, expect, it } from 'vitest';

import { ClusterError, type Bucket } from './cluster.js';
import { Lease, MARGIN_FRACTION } from './lease.js';
import { Membership } from './membership.js';
import { MemoryNetwork } from './memory-network.js';
import { nodeRecord } from './records.js';

const LEASE_MS = 10_000;
const STATE = {
  name: 'a',
  labels: [],
  capacity: 1,
  isDraining: false,
  servers: 0,
  version: '1',
  started: '',
};

/** The lease of a node, over a bucket that a test changes. */
async function leases() {
  const clock = new ManualClock();
  const bucket = await new MemoryNetwork().join().bucket('nodes');
  const wrapped: { -readonly [Key in keyof Bucket]: Bucket[Key] } = { ...bucket };
  const lease = new Lease({ bucket: wrapped, clock, key: 'a-1', leaseMs: LEASE_MS, record: () => STATE });
  const renewal = async (): Promise<number | undefined> => {
    const entry = await bucket.get('a-1');
    return entry && nodeRecord(entry.value)?.renewal;
  };
  return { clock, bucket, wrapped, lease, renewal };
}

describe('a lease', () => {
  it('is renewed at once when the answer of the renewal before was lost', async () => {
    const { clock, bucket, wrapped, lease, renewal } = await leases();
    await lease.renew();
    wrapped.update = async (...args) => {
      await bucket.update(...args);
      throw new ClusterError('UNAVAILABLE', 'the answer was lost');
    };
    await expect(lease.renew()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    wrapped.update = (...args) => bucket.update(...args);
    clock.advance(LEASE_MS / 2);
    await lease.renew();
    expect(await renewal()).toBe(4);
    expect(lease.validForMs).toBe(LEASE_MS * (1 - MARGIN_FRACTION));
  });

  it('is over when the others have removed the node, and begins anew', async () => {
    const { clock, bucket, lease, renewal } = await leases();
    await lease.renew();
    await bucket.delete('a-1', (await bucket.get('a-1'))?.revision ?? 0);
    clock.advance(1);
    expect(await lease.renew()).toBe(true);
    expect(await renewal()).toBe(3);
    expect(await lease.renew()).toBe(false);
  });
});

describe('a node that the others have removed', () => {
  it('doubts what it owns until it has read who owns its servers', async () => {
    const { clock, bucket, lease } = await leases();
    let read: () => void = () => undefined;
    const seen: boolean[] = [];
    const membership: Membership = new Membership({
      lease,
      clock,
      leaseMs: LEASE_MS,
      logger: nullLogger,
      readOwners: () => new Promise((resolve) => (read = resolve)),
      onChange: () => seen.push(membership.isValid),
    });
    await membership.acquireFirstLease(() => true);
    expect(membership.isValid).toBe(true);
    await bucket.delete('a-1', (await bucket.get('a-1'))?.revision ?? 0);
    const renewed = membership.renew();
    await nextTurn();
    expect(seen).toEqual([false]);
    read();
    await renewed;
    expect(seen).toEqual([false, true]);
  });
});
