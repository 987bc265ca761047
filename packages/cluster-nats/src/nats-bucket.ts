import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import { ClusterError, type Bucket, type BucketChange, type BucketEntry } from '@mcpmux/core/cluster';

/** The error of JetStream for a key that has another revision. */
const WRONG_REVISION = 10_071;

/** A key-value bucket of JetStream. */
export class NatsBucket implements Bucket {
  constructor(private readonly values: KV) {}

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

  async watch(onChange: (change: BucketChange) => void): Promise<() => void> {
    const { values: existing } = await attempt(() => this.values.status());
    const changes = await attempt(() => this.values.watch());
    let complete: () => void = () => undefined;
    const isComplete = new Promise<void>((resolve) => (complete = resolve));
    if (existing === 0) complete();
    void (async () => {
      for await (const entry of changes) {
        onChange(changeOf(entry));
        if (entry.delta === 0) complete();
      }
    })();
    await isComplete;
    return () => changes.stop();
  }
}

function changeOf({ key, operation, value, revision }: KvWatchEntry): BucketChange {
  return { key, value: operation === 'PUT' ? value : undefined, revision };
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw natsFailure(error);
  }
}

/** What an error of the client means to a cluster. */
export function natsFailure(error: unknown): ClusterError {
  const problem = error instanceof Error ? error.message : String(error);
  return error instanceof JetStreamApiError && error.code === WRONG_REVISION
    ? new ClusterError('CONFLICT', 'The key has another revision than the expected one.', { cause: error })
    : new ClusterError('UNAVAILABLE', `NATS did not do what was asked: ${problem}.`, { cause: error });
}
