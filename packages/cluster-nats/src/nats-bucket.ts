import type { KV } from '@nats-io/kv';
import type { Bucket, BucketChange, BucketEntry } from '@mcpmux/cluster';

import { isForbidden, natsFailure } from './nats-failure.js';
import { NatsWatch } from './nats-watch.js';
import { retryUntilReady } from './retry-until-ready.js';

/** A JetStream key-value bucket. */
export class NatsBucket implements Bucket {
  /**
   * @param endSignal aborted when the connection is closed
   * @param serverList the servers' URLs without credentials, for error messages
   */
  constructor(
    private readonly store: KV,
    private readonly endSignal: AbortSignal,
    private readonly serverList: string,
  ) {}

  async get(key: string): Promise<BucketEntry | undefined> {
    const entry = await this.convertErrors(() => this.store.get(key));
    if (entry === null || entry.operation !== 'PUT') return undefined;
    return { value: entry.value, revision: entry.revision };
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return this.convertErrors(() => this.store.create(key, value));
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    return this.convertErrors(() => this.store.update(key, value, revision));
  }

  delete(key: string, revision: number): Promise<void> {
    return this.convertErrors(() => this.store.delete(key, { previousSeq: revision }));
  }

  /** Opens a watch, with retries, because a server may ignore the request or open a watch that delivers nothing. */
  async watch(onChange: (change: BucketChange) => void): Promise<() => void> {
    const { store, endSignal } = this;
    const openWatch = async (): Promise<() => void> => {
      const watch = new NatsWatch(store, onChange);
      const stop = (): void => {
        endSignal.removeEventListener('abort', stop);
        watch.stop();
      };
      endSignal.addEventListener('abort', stop);
      try {
        await watch.start();
      } catch (error) {
        stop();
        throw error;
      }
      return stop;
    };
    return this.convertErrors(() => retryUntilReady(openWatch, { endSignal, isPermanentError: isForbidden }));
  }

  private async convertErrors<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw natsFailure(error, this.serverList);
    }
  }
}
