import type { Clock } from '@mcpmux/kit';
import type { Bucket, BucketChange, BucketEntry, Cluster } from './cluster.js';
import type { NodeView } from './placement.js';
import {
  epochOf,
  keyOf,
  nameOf,
  nodeRecord,
  ownerRecord,
  serverRecord,
  type NodeRecord,
  type OwnerRecord,
  type ServerRecord,
} from './records.js';

/** Time after which a node's record expires. Each start has a new id, so the records would accumulate otherwise. */
const FORGET_NODES_MS = 3_600_000;

/** The buckets of a cluster. */
export interface ClusterBuckets {
  /** The servers that the cluster must run. */
  readonly servers: Bucket;
  /** The nodes. Each node rewrites its record repeatedly, which is its lease. */
  readonly nodes: Bucket;
  /** The owner of each server. */
  readonly owners: Bucket;
}

/** Opens the buckets of a cluster. */
export async function clusterBuckets(cluster: Cluster): Promise<ClusterBuckets> {
  const [servers, nodes, owners] = await Promise.all([
    cluster.bucket('servers'),
    cluster.bucket('nodes', { forgetAfterMs: FORGET_NODES_MS }),
    cluster.bucket('owners'),
  ]);
  return { servers, nodes, owners };
}

interface KnownNode {
  readonly record: NodeRecord;
  /** The time at which this node received the last sign of life. */
  readonly heardAt: number;
}

/** A server of the directory. */
export interface KnownServer {
  readonly record: ServerRecord;
}

/** Called for a change, with the name of the server, or with undefined if the change may concern every server. */
type OnChange = (server?: string) => void;

/** This node's knowledge of the cluster: a copy of the buckets, so that no request waits for them. */
export class Directory {
  readonly servers = new Map<string, KnownServer>();
  readonly owners = new Map<string, OwnerRecord>();
  private highestEpoch = 0;
  private readonly known = new Map<string, KnownNode>();
  private stops: readonly (() => void)[] = [];
  /** False until the copy is complete, and after this node stops following the cluster. */
  private follows = false;
  /** By server: the functions to call on the next change to its owner. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly leaseMs: number,
    private readonly onChange: OnChange,
  ) {}

  /** Copies the buckets, and follows their changes. Resolves when the copy is complete. */
  async follow({ servers, nodes, owners }: ClusterBuckets): Promise<void> {
    this.stops = await Promise.all([
      servers.watch((change) => this.serverChanged(change)),
      nodes.watch((change) => this.nodeChanged(change)),
      owners.watch((change) => this.ownerChanged(change)),
    ]);
    this.follows = true;
  }

  /** True if the copy is complete. Before that, an owner may be known while its server is not. */
  get isComplete(): boolean {
    return this.follows;
  }

  close(): void {
    this.follows = false;
    for (const stop of this.stops) stop();
    this.stops = [];
    for (const server of this.waiting.keys()) this.wake(server);
  }

  /**
   * Returns the nodes by id.
   *
   * @param own the current state of this node, because its written record arrives a moment later
   */
  nodes(own?: Pick<NodeView, 'id' | 'record'>): ReadonlyMap<string, NodeView> {
    const since = this.clock.now() - this.leaseMs;
    return new Map(
      [...this.known].map(([id, known]) => {
        const record = id === own?.id ? own.record : known.record;
        return [id, { id, record, isAlive: known.heardAt > since }];
      }),
    );
  }

  /** Returns the ids of the nodes that gave no sign of life for this time, in milliseconds. */
  silentFor(ms: number): readonly string[] {
    const since = this.clock.now() - ms;
    return [...this.known].flatMap(([id, { heardAt }]) => (heardAt <= since ? [id] : []));
  }

  /** Deletes a node whose record was removed. A watch does not report a record that has expired. */
  forgetNode(node: string): void {
    if (this.known.delete(node)) this.onChange();
  }

  /** Resolves when `holds` accepts the owner of a server, or when this node stops following the cluster. */
  async untilOwner(server: string, holds: (owner: OwnerRecord | undefined) => boolean): Promise<void> {
    while (this.follows && !holds(this.owners.get(server)))
      await new Promise<void>((resolve) => {
        this.waiting.set(server, [...(this.waiting.get(server) ?? []), resolve]);
      });
  }

  /** Returns the number of a node's last sign of life. */
  renewalOf(node: string): number | undefined {
    return this.known.get(node)?.record.renewal;
  }

  /**
   * Higher than each epoch so far, including epochs of removed servers, because storage remembers its writers' epochs.
   */
  get nextEpoch(): number {
    return this.highestEpoch + 1;
  }

  /** Reads the current owners of a node's servers, because the watch may be late. @throws ClusterError UNAVAILABLE */
  async readOwners({ owners }: ClusterBuckets, node: string): Promise<void> {
    const own = [...this.owners].filter(([, owner]) => owner.node === node);
    const read = own.map(async ([server, { epoch }]) => {
      const entry = await owners.get(keyOf(server));
      const owner = entry && ownerRecord(entry.value);
      if (owner?.node !== node || owner.epoch !== epoch) this.readOwner(server, entry);
    });
    await Promise.all(read);
  }

  /** Applies a node's record that was read, because the watch may have lost the change permanently. */
  readNode(node: string, { value, revision }: BucketEntry): void {
    this.nodeChanged({ key: node, value, revision });
  }

  /** Applies the record of a server's owner that was read. */
  readOwner(server: string, entry: BucketEntry | undefined): void {
    this.ownerChanged({ key: keyOf(server), value: entry?.value, revision: entry?.revision ?? 0 });
  }

  /** Restarts the lease timers, because this node could not hear the other nodes for a while. */
  resetLeaseTimers(): void {
    const heardAt = this.clock.now();
    for (const [id, node] of this.known) this.known.set(id, { ...node, heardAt });
  }

  private serverChanged({ key, value }: BucketChange): void {
    const name = nameOf(key);
    const record = value && serverRecord(value);
    if (record === undefined) this.servers.delete(name);
    else this.servers.set(name, { record });
    this.onChange(name);
  }

  private nodeChanged({ key, value }: BucketChange): void {
    const record = value && nodeRecord(value);
    const before = this.known.get(key);
    // A watch that starts again repeats an old sign of life.
    const isKnown = before !== undefined && before.record.renewal === record?.renewal;
    if (record === undefined) this.known.delete(key);
    else this.known.set(key, { record, heardAt: isKnown ? before.heardAt : this.clock.now() });
    if (record === undefined || before?.record.isDraining !== record.isDraining) this.onChange();
  }

  private ownerChanged({ key, value, revision }: BucketChange): void {
    const name = nameOf(key);
    const record = value && ownerRecord(value);
    if (record === undefined) this.owners.delete(name);
    else this.owners.set(name, record);
    // Deletions have revisions too, so epochs continue even if no record is left.
    this.highestEpoch = Math.max(this.highestEpoch, revision, epochOf(value));
    this.onChange(name);
    this.wake(name);
  }

  private wake(server: string): void {
    const waiting = this.waiting.get(server) ?? [];
    this.waiting.delete(server);
    for (const resolve of waiting) resolve();
  }
}
