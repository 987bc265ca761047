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

/** The time after which a node's record expires, in milliseconds, so that records of ended nodes do not accumulate. */
const NODE_EXPIRY_MS = 3_600_000;

/** The buckets of a cluster. */
export interface ClusterBuckets {
  /** The servers that the cluster must run. */
  readonly servers: Bucket;
  /** The nodes. Each node repeatedly rewrites its record, which is its lease. */
  readonly nodes: Bucket;
  /** The owner of each server. */
  readonly owners: Bucket;
}

/** Opens the buckets of a cluster. */
export async function clusterBuckets(cluster: Cluster): Promise<ClusterBuckets> {
  const [servers, nodes, owners] = await Promise.all([
    cluster.bucket('servers'),
    cluster.bucket('nodes', { forgetAfterMs: NODE_EXPIRY_MS }),
    cluster.bucket('owners'),
  ]);
  return { servers, nodes, owners };
}

interface KnownNode {
  readonly record: NodeRecord;
  /** The local time at which the node's last lease renewal arrived. */
  readonly renewedAt: number;
}

/** A server that the cluster must run, as known to this node. */
export interface KnownServer {
  readonly record: ServerRecord;
}

/** Called after a change. `server` is undefined if the change may concern all servers. */
type ChangeListener = (server?: string) => void;

/** A local copy of the buckets, which spares requests a round trip to the cluster. */
export class Directory {
  readonly servers = new Map<string, KnownServer>();
  readonly owners = new Map<string, OwnerRecord>();
  private highestEpoch = 0;
  private readonly knownNodes = new Map<string, KnownNode>();
  private stopWatches: readonly (() => void)[] = [];
  /** True while the copy is complete and this node follows the cluster. */
  private isFollowing = false;
  /** The functions to call when a server's owner changes, by server name. */
  private readonly ownerWaiters = new Map<string, (() => void)[]>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly leaseMs: number,
    private readonly onChange: ChangeListener,
  ) {}

  /** Copies the buckets and follows their changes. Resolves when the copy is complete. */
  async follow({ servers, nodes, owners }: ClusterBuckets): Promise<void> {
    this.stopWatches = await Promise.all([
      servers.watch((change) => this.serverChanged(change)),
      nodes.watch((change) => this.nodeChanged(change)),
      owners.watch((change) => this.ownerChanged(change)),
    ]);
    this.isFollowing = true;
  }

  /** True if the copy is complete. Until then, a server's owner may be known before the server itself. */
  get isComplete(): boolean {
    return this.isFollowing;
  }

  close(): void {
    this.isFollowing = false;
    for (const stop of this.stopWatches) stop();
    this.stopWatches = [];
    for (const server of this.ownerWaiters.keys()) this.wakeWaiters(server);
  }

  /**
   * Returns all nodes by id.
   *
   * @param own the current state of this node, which is newer than its stored record
   */
  nodes(own?: Pick<NodeView, 'id' | 'record'>): ReadonlyMap<string, NodeView> {
    const oldestRenewal = this.clock.now() - this.leaseMs;
    return new Map(
      [...this.knownNodes].map(([id, known]) => {
        const record = id === own?.id ? own.record : known.record;
        return [id, { id, record, isAlive: known.renewedAt > oldestRenewal }];
      }),
    );
  }

  /** Returns the ids of the nodes that have not renewed their lease for at least `ms` milliseconds. */
  silentFor(ms: number): readonly string[] {
    const oldestRenewal = this.clock.now() - ms;
    return [...this.knownNodes].flatMap(([id, { renewedAt }]) => (renewedAt <= oldestRenewal ? [id] : []));
  }

  /** Deletes a node whose record is gone, because a watch does not report that a record has expired. */
  forgetNode(node: string): void {
    if (this.knownNodes.delete(node)) this.onChange();
  }

  /** Resolves when `holds` returns true for a server's owner, or when this node stops following the cluster. */
  async untilOwner(server: string, holds: (owner: OwnerRecord | undefined) => boolean): Promise<void> {
    while (this.isFollowing && !holds(this.owners.get(server)))
      await new Promise<void>((resolve) => {
        this.ownerWaiters.set(server, [...(this.ownerWaiters.get(server) ?? []), resolve]);
      });
  }

  /** Returns the number of a node's last known lease renewal. */
  renewalOf(node: string): number | undefined {
    return this.knownNodes.get(node)?.record.renewal;
  }

  /** Exceeds the epochs of all servers, including removed ones, because storage may reject lower epochs. */
  get nextEpoch(): number {
    return this.highestEpoch + 1;
  }

  /**
   * Reads the current owners of a node's servers, because the watch may lag.
   * @throws ClusterError UNAVAILABLE
   */
  async readOwners({ owners }: ClusterBuckets, node: string): Promise<void> {
    const ownServers = [...this.owners].filter(([, owner]) => owner.node === node);
    const ownerReads = ownServers.map(async ([server, { epoch }]) => {
      const entry = await owners.get(keyOf(server));
      const owner = entry && ownerRecord(entry.value);
      if (owner?.node !== node || owner.epoch !== epoch) this.readOwner(server, entry);
    });
    await Promise.all(ownerReads);
  }

  /** Applies a node record that the caller has read, because the watch may have missed the change. */
  readNode(node: string, { value, revision }: BucketEntry): void {
    this.nodeChanged({ key: node, value, revision });
  }

  /** Applies an owner record that the caller has read, because the watch may lag. */
  readOwner(server: string, entry: BucketEntry | undefined): void {
    this.ownerChanged({ key: keyOf(server), value: entry?.value, revision: entry?.revision ?? 0 });
  }

  /** Restarts the lease timer of each known node, because this node may have missed renewals. */
  resetLeaseTimers(): void {
    const renewedAt = this.clock.now();
    for (const [id, node] of this.knownNodes) this.knownNodes.set(id, { ...node, renewedAt });
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
    const knownNode = this.knownNodes.get(key);
    // A restarted watch may repeat an old renewal, which must not extend the lease.
    const isRepeated = knownNode !== undefined && knownNode.record.renewal === record?.renewal;
    if (record === undefined) this.knownNodes.delete(key);
    else this.knownNodes.set(key, { record, renewedAt: isRepeated ? knownNode.renewedAt : this.clock.now() });
    if (record === undefined || knownNode?.record.isDraining !== record.isDraining) this.onChange();
  }

  private ownerChanged({ key, value, revision }: BucketChange): void {
    const name = nameOf(key);
    const record = value && ownerRecord(value);
    if (record === undefined) this.owners.delete(name);
    else this.owners.set(name, record);
    // Count the revision too, so that epochs keep increasing when no record is left.
    this.highestEpoch = Math.max(this.highestEpoch, revision, epochOf(value));
    this.onChange(name);
    this.wakeWaiters(name);
  }

  private wakeWaiters(server: string): void {
    const waiters = this.ownerWaiters.get(server) ?? [];
    this.ownerWaiters.delete(server);
    for (const resolve of waiters) resolve();
  }
}
