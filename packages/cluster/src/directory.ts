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

/** Records of nodes that never come back pile up otherwise: each start has an id of its own. */
const FORGET_NODES_MS = 3_600_000;

/** The buckets of a cluster. */
export interface ClusterBuckets {
  /** The servers that the cluster is to run. */
  readonly servers: Bucket;
  /** The nodes. Each writes its record again and again, which is its lease. */
  readonly nodes: Bucket;
  /** Which node runs which server. */
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
  /** When this node has received the last sign of life. */
  readonly heardAt: number;
}

/** A server of the directory. */
export interface KnownServer {
  readonly record: ServerRecord;
}

/** Told of changes: the name of one server, or undefined when the change may concern each. */
type OnChange = (server?: string) => void;

/** The knowledge of this node about the cluster: a copy of the buckets, so that no request waits for them. */
export class Directory {
  readonly servers = new Map<string, KnownServer>();
  readonly owners = new Map<string, OwnerRecord>();
  private highestEpoch = 0;
  private readonly known = new Map<string, KnownNode>();
  private stops: readonly (() => void)[] = [];
  /** False before the copy is complete, and when this node follows the cluster no more. */
  private follows = false;
  /** By server: what waits for the next change of its owner. */
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

  /** True if the copy is complete: before, an owner may be known and its server not. */
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
   * The nodes by id.
   *
   * @param own this node as it is now: its record comes back a moment after it was written
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

  /** The ids of the nodes without a sign of life for so long, in milliseconds. */
  silentFor(ms: number): readonly string[] {
    const since = this.clock.now() - ms;
    return [...this.known].flatMap(([id, { heardAt }]) => (heardAt <= since ? [id] : []));
  }

  /** The record of a node was removed: a watch tells nothing of one that has expired. */
  forgetNode(node: string): void {
    if (this.known.delete(node)) this.onChange();
  }

  /** Resolves when the owner of a server is one of those that `holds` accepts, or this node follows the cluster no more. */
  async untilOwner(server: string, holds: (owner: OwnerRecord | undefined) => boolean): Promise<void> {
    while (this.follows && !holds(this.owners.get(server)))
      await new Promise<void>((resolve) => {
        this.waiting.set(server, [...(this.waiting.get(server) ?? []), resolve]);
      });
  }

  /** The number of the last sign of life of a node. */
  renewalOf(node: string): number | undefined {
    return this.known.get(node)?.record.renewal;
  }

  /** Higher than each epoch so far, also of servers that were removed: a store remembers the epochs of its writers. */
  get nextEpoch(): number {
    return this.highestEpoch + 1;
  }

  /** Reads who owns the servers of a node now: the watch may be late. @throws ClusterError UNAVAILABLE */
  async readOwners({ owners }: ClusterBuckets, node: string): Promise<void> {
    const own = [...this.owners].filter(([, owner]) => owner.node === node);
    const read = own.map(async ([server, { epoch }]) => {
      const entry = await owners.get(keyOf(server));
      const owner = entry && ownerRecord(entry.value);
      if (owner?.node !== node || owner.epoch !== epoch) this.readOwner(server, entry);
    });
    await Promise.all(read);
  }

  /** Takes the record of a node that was read, as the watch has not brought it: the watch may have lost the change for good. */
  readNode(node: string, { value, revision }: BucketEntry): void {
    this.nodeChanged({ key: node, value, revision });
  }

  /** Takes the record of the owner of a server that was read. */
  readOwner(server: string, entry: BucketEntry | undefined): void {
    this.ownerChanged({ key: keyOf(server), value: entry?.value, revision: entry?.revision ?? 0 });
  }

  /** This node could not hear the others for a while: none of them counts as gone for that while. */
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
    // A watch that starts again reports an old sign of life once more.
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
    // Deletions have revisions, too: epochs go on when no record is left.
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
