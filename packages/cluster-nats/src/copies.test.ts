import { JetStreamApiError } from '@nats-io/jetstream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { BucketCopies } from './copies.js';

const error = (code: number): JetStreamApiError =>
  new JetStreamApiError({ code: 500, err_code: code, description: 'no' });

/** A JetStream whose streams have one copy, and which accepts more after some refusals. */
function jetStream(refusals: number, cluster: object | undefined = {}) {
  let left = refusals;
  const config = { num_replicas: 1 };
  const update = vi.fn<(stream: string, config: { num_replicas: number }) => Promise<void>>(
    async (_, { num_replicas: copies }) => {
      left -= 1;
      if (left >= 0) throw error(10_005);
      config.num_replicas = copies;
      return Promise.resolve();
    },
  );
  const streams = { info: () => Promise.resolve({ config, cluster }), update };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that copies use
  return {
    config,
    update,
    grows: () => void (left = 0),
    manager: { streams } as unknown as ConstructorParameters<typeof BucketCopies>[0],
  };
}

const copiesWith = ({ manager }: ReturnType<typeof jetStream>, wanted?: number): BucketCopies =>
  new BucketCopies(manager, wanted, 'nats://a:4222', () => false);

describe('the copies of a bucket', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([10_005, 10_023, 10_074])('are one where NATS refuses three with the error %i', async (code) => {
    const asked: number[] = [];
    const make = async (replicas: number): Promise<string> => {
      asked.push(replicas);
      if (replicas > 1) throw error(code);
      return Promise.resolve('made');
    };
    await expect(copiesWith(jetStream(0)).createBucket(make)).resolves.toBe('made');
    expect(asked).toEqual([3, 1]);
    await expect(copiesWith(jetStream(0), 5).createBucket(make)).rejects.toThrow(
      'NATS at nats://a:4222 has too few servers for 5 copies',
    );
  });

  it('are no others for an error of another kind', async () => {
    const make = vi.fn<() => Promise<never>>(() => Promise.reject(error(10_008)));
    await expect(copiesWith(jetStream(0)).createBucket(make)).rejects.toThrow('no');
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('become three when NATS has the servers for them, and are asked for less and less often until then', async () => {
    const nats = jetStream(20);
    const copies = copiesWith(nats);
    copies.addBucket('b');
    await vi.advanceTimersByTimeAsync(5 * 60_000);
    const { length } = nats.update.mock.calls;
    expect(length).toBeGreaterThan(8);
    expect(length).toBeLessThan(13);
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    expect(nats.config.num_replicas).toBe(3);
    expect(nats.update).toHaveBeenCalledTimes(21);
    copies.close();
  });

  it('are asked for at once when servers come', async () => {
    const nats = jetStream(Infinity);
    const copies = copiesWith(nats);
    copies.addBucket('b');
    await vi.advanceTimersByTimeAsync(300_000);
    expect(nats.config.num_replicas).toBe(1);
    nats.grows();
    copies.requestCopies();
    await vi.advanceTimersByTimeAsync(0);
    expect(nats.config.num_replicas).toBe(3);
  });

  it('are never changed on a server that is alone: it accepts any number, and keeps one', async () => {
    const alone = jetStream(0);
    const manager = {
      streams: { ...alone.manager.streams, info: () => Promise.resolve({ config: alone.config }) },
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the two methods that copies use
    const copies = copiesWith({
      ...alone,
      manager: manager as unknown as ConstructorParameters<typeof BucketCopies>[0],
    });
    copies.addBucket('b');
    await vi.advanceTimersByTimeAsync(300_000);
    expect(alone.update).not.toHaveBeenCalled();
  });
});
