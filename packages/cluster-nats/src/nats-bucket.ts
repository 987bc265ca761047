import type { KV } from '@nats-io/kv';
import type { Bucket, BucketChange, BucketEntry } from '@mcpmux/cluster';

import { isForbidden, natsFailure } from './nats-failure.js';
import { NatsWatch } from './nats-watch.js';
import { retryUntilReady } from './retry-until-ready.js';

/** A key-value bucket of JetStream. */
export class NatsBucket implements Bucket {
  /**
   * @param ended aborted when the connection is closed
   * @param serverList the servers, for error messages
   */
  constructor(
    private readonly values: KV,
    private readonly ended: AbortSignal,
    private readonly serverList: string,
  ) {}

  async get(key: string): Promise<BucketEntry | undefined> {
    const entry = await this.attempt(() => this.values.get(key));
    if (entry === null || entry.operation !== 'PUT') return undefined;
    return { value: entry.value, revision: entry.revision };
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return this.attempt(() => this.values.create(key, value));
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    return this.attempt(() => this.values.update(key, value, revision));
  }

  delete(key: string, revision: number): Promise<void> {
    return this.attempt(() => this.values.delete(key, { previousSeq: revision }));
  }

  /**
   * Retries, because a server sometimes does not answer a request for a watch, or starts a watch that delivers nothing.
   */
  async watch(onChange: (change: BucketChange) => void): Promise<() => void> {
    const { values, ended } = this;
    const open = async (): Promise<() => void> => {
      const watch = new NatsWatch(values, onChange);
      const stop = (): void => {
        ended.removeEventListener('abort', stop);
        watch.stop();
      };
      ended.addEventListener('abort', stop);
      try {
        await watch.start();
      } catch (error) {
        stop();
        throw error;
      }
      return stop;
    };
    return this.attempt(() => retryUntilReady(open, { ended, isHopeless: isForbidden }));
  }

  private async attempt<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw natsFailure(error, this.serverList);
    }
  }
}
