import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvWatchEntry } from '@nats-io/kv';
import { patiently } from './patiently.js';
import { ClusterError, type Bucket, type BucketChange, type BucketEntry } from '@mcpmux/core/cluster';

/** The error of JetStream for a key that has another revision. */
const WRONG_REVISION = 10_071;

/** How long a watch may take to report the keys that exist. */
const COMPLETE_MS = 3000;

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
    return attempt(() =>
      patiently(
        () => this.watched(onChange),
        () => false,
      ),
    );
  }

  /** Now and then a server answers a request for a watch not at all, or begins a watch that delivers nothing. */
  private async watched(onChange: (change: BucketChange) => void): Promise<() => void> {
    const { values: existing } = await this.values.status();
    const changes = await this.values.watch();
    let complete: () => void = () => undefined;
    const isComplete = new Promise<boolean>((resolve) => (complete = () => resolve(true)));
    if (existing === 0) complete();
    void report(changes, onChange, complete);
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), COMPLETE_MS);
    });
    const isDone = await Promise.race([isComplete, isLate]);
    clearTimeout(timer);
    if (isDone) return () => changes.stop();
    changes.stop();
    throw new ClusterError('UNAVAILABLE', 'NATS did not report the keys of a bucket in time.');
  }
}

async function report(
  changes: AsyncIterable<KvWatchEntry>,
  onChange: (change: BucketChange) => void,
  complete: () => void,
): Promise<void> {
  for await (const entry of changes) {
    onChange(changeOf(entry));
    if (entry.delta === 0) complete();
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
  if (error instanceof ClusterError) return error;
  const problem = error instanceof Error ? error.message : String(error);
  return error instanceof JetStreamApiError && error.code === WRONG_REVISION
    ? new ClusterError('CONFLICT', 'The key has another revision than the expected one.', { cause: error })
    : new ClusterError('UNAVAILABLE', `NATS did not do what was asked: ${problem}.`, { cause: error });
}
