import type { Clock } from '@mcpmux/kit';
import { ClusterError, type Bucket, type BucketChange, type BucketEntry, type Cluster } from './cluster.js';

type Connection = Pick<Cluster, 'isConnected' | 'onConnection'>;

interface BucketNetwork {
  readonly delivered: { changes: number };
  readonly later: (deliver: () => void) => void;
  readonly clock: Pick<Clock, 'now'>;
}

interface StoredChange {
  readonly change: BucketChange;
  readonly storedAt: number;
}

/** An in-memory bucket that all nodes of a network share. */
export class MemoryBucket {
  private readonly storedChanges = new Map<string, StoredChange>();
  private readonly watches = new Set<BucketWatch>();
  private revision = 0;

  /** @param forgetAfterMs see {@link BucketOptions} */
  constructor(
    private readonly network: BucketNetwork,
    private readonly forgetAfterMs = Infinity,
  ) {}

  /** Returns this bucket for use by one node. The methods reject while the node's connection is lost. */
  of(connection: Connection): Bucket {
    const whenConnected = async <Result>(work: () => Result): Promise<Result> => {
      if (!connection.isConnected)
        throw new ClusterError('UNAVAILABLE', 'The connection to the cluster is lost.');
      await Promise.resolve();
      return work();
    };
    return {
      get: (key) => whenConnected(() => this.get(key)),
      create: (key, value) => whenConnected(() => this.change(key, value, undefined)),
      update: (key, value, revision) => whenConnected(() => this.change(key, value, revision)),
      delete: (key, revision) => whenConnected(() => void this.change(key, undefined, revision)),
      watch: (onChange) => whenConnected(() => this.watch(onChange, connection)),
    };
  }

  private get(key: string): BucketEntry | undefined {
    this.expire(key);
    const { value, revision = 0 } = this.storedChanges.get(key)?.change ?? {};
    return value && { value, revision };
  }

  /** Drops the key if it has expired, without reporting a change, as engines do. */
  private expire(key: string): void {
    const { storedAt = 0 } = this.storedChanges.get(key) ?? {};
    if (this.network.clock.now() - storedAt >= this.forgetAfterMs) this.storedChanges.delete(key);
  }

  private change(key: string, value: Uint8Array | undefined, expected: number | undefined): number {
    if (this.get(key)?.revision !== expected)
      throw new ClusterError('CONFLICT', `The key ${key} has another revision than the expected one.`);
    this.revision += 1;
    const change = { key, value: value && Uint8Array.from(value), revision: this.revision };
    this.storedChanges.set(key, { change, storedAt: this.network.clock.now() });
    for (const watch of this.watches) watch.addChange(change);
    return this.revision;
  }

  private watch(onChange: (change: BucketChange) => void, connection: Connection): () => void {
    const watch = new BucketWatch(connection, onChange, this.network);
    for (const key of this.storedChanges.keys()) this.expire(key);
    for (const { change } of this.storedChanges.values()) onChange(change);
    this.watches.add(watch);
    const stop = connection.onConnection(() => watch.flush());
    return () => {
      stop();
      this.watches.delete(watch);
    };
  }
}

/** Reports changes to one node. While its connection is lost, queues only the latest change to each key. */
class BucketWatch {
  private readonly pendingChanges = new Map<string, BucketChange>();

  constructor(
    private readonly connection: Connection,
    private readonly onChange: (change: BucketChange) => void,
    private readonly network: BucketNetwork,
  ) {}

  addChange(change: BucketChange): void {
    this.pendingChanges.delete(change.key);
    this.pendingChanges.set(change.key, change);
    this.network.later(() => this.flush());
  }

  flush(): void {
    if (!this.connection.isConnected) return;
    const changes = [...this.pendingChanges.values()];
    this.pendingChanges.clear();
    this.network.delivered.changes += changes.length;
    for (const change of changes) this.onChange(change);
  }
}
