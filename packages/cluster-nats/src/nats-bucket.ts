import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { ClusterError, type Bucket, type BucketChange, type BucketEntry } from '@mcpmux/core/cluster';

import { NatsWatch } from './nats-watch.js';
import { patiently } from './patiently.js';

const { StreamWrongLastSequence, StreamWrongLastSequenceUnknown } = JetStreamApiCodes;
/** The errors of JetStream for a key that has another revision. The second one does not name the revision. */
const WRONG_REVISION: ReadonlySet<number> = new Set([
  StreamWrongLastSequence,
  StreamWrongLastSequenceUnknown,
]);

/** A key-value bucket of JetStream. */
export class NatsBucket implements Bucket {
  /** @param ended aborted when the connection is closed */
  constructor(
    private readonly values: KV,
    private readonly ended: AbortSignal,
  ) {}

  async get(key: string): Promise<BucketEntry | undefined> {
    const entry = await attempt(() => this.values.get(key));
    if (entry === null || entry.operation !== 'PUT') return undefined;
    return { value: entry.value, revision: entry.revision };
  }

  create(key: string, value: Uint8Array): Promise<number> {
    return attempt(() => this.values.create(key, value));
  }

  update(key: string, value: Uint8Array, revision: number): Promise<number> {
    return attempt(() => this.values.update(key, value, revision));
  }

  delete(key: string, revision: number): Promise<void> {
    return attempt(() => this.values.delete(key, { previousSeq: revision }));
  }

  /** Now and then a server answers a request for a watch not at all, or begins a watch that delivers nothing. */
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
    return attempt(() => patiently(open, { ended }));
  }
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw natsFailure(error);
  }
}

/** Returns the error of a cluster for an error of the client. */
export function natsFailure(error: unknown): ClusterError {
  if (error instanceof ClusterError) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return error instanceof JetStreamApiError && WRONG_REVISION.has(error.code)
    ? new ClusterError('CONFLICT', 'The key has another revision than the expected one.', { cause: error })
    : new ClusterError('UNAVAILABLE', `NATS did not do what was asked: ${problem}.`, { cause: error });
}
