import { messageOf, type Timer, waitAtMost, type Kit } from '@mcpmux/kit';
import { ClusterError, type Cluster } from './cluster.js';
import { clusterBuckets, Directory, type ClusterBuckets } from './directory.js';
import { GoneNodes } from './gone-nodes.js';
import { Lease } from './lease.js';
import { Membership } from './membership.js';
import { Ownership } from './ownership.js';
import { ServerLocations, type ClusterHost, type ServerLocation } from './server-locations.js';
import { Reconciler, type ReconciledNode } from './reconciler.js';
import type { NodeRecord, NodeState } from './records.js';

/** Settings of a {@link ClusterNode}. */
export interface ClusterNodeOptions
  extends Pick<NodeRecord, 'name' | 'labels' | 'capacity' | 'version'>, Pick<Kit, 'clock' | 'logger'> {
  /** Must differ from the ids of all current and past nodes. Allowed characters: `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** The time without a lease renewal after which other nodes take over a node's servers, in milliseconds. */
  readonly leaseMs: number;
}

/** The number of ticks per lease duration. On each tick, a node checks the other nodes' leases. */
export const TICKS_PER_LEASE = 12;
/** The maximum time for which a leaving node waits for pending changes, in milliseconds. */
const MAX_IDLE_WAIT_MS = 1000;
/** The maximum time for which a leaving node tries to release its servers, in milliseconds. */
const MAX_LEAVE_MS = 2000;

/** One node of a cluster. Renews its lease, and runs the servers that it owns. */
export class ClusterNode {
  readonly directory: Directory;
  private readonly locations: ServerLocations;
  private ownership: Ownership | undefined;
  private readonly reconciler: Reconciler;
  private goneNodes: GoneNodes | undefined;
  private membership: Membership | undefined;
  private buckets: ClusterBuckets | undefined;
  private timer: Timer | undefined;
  private readonly startedAt = new Date().toISOString();
  private isDraining = false;
  private isClosed = false;
  private lastTickAt = 0;
  private wasLeaseValid = false;
  private aliveNodeIds = '';
  private readonly stopListening: () => void;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterNodeOptions,
    private readonly host: ClusterHost,
  ) {
    this.locations = new ServerLocations(host, options.logger);
    this.directory = new Directory(options.clock, options.leaseMs, (server) => this.markChanged(server));
    this.reconciler = new Reconciler(this.reconciledNode(), this.directory, this.locations);
    this.stopListening = cluster.onConnection((isConnected) => this.connectionChanged(isConnected));
  }

  /**
   * Joins the cluster. Resolves when the other nodes are known and the host has received all servers.
   *
   * @throws ClusterError UNAVAILABLE, or CLOSED if this node is closed while it joins
   */
  async start(): Promise<void> {
    const { clock, leaseMs, logger, id } = this.options;
    const buckets = await clusterBuckets(this.cluster);
    this.buckets = buckets;
    const { nodes: bucket, owners, servers } = buckets;
    const lease = new Lease({ bucket, clock, key: id, leaseMs, record: () => this.record });
    const readOwners = (): Promise<void> => this.directory.readOwners(buckets, id);
    const onChange = (): void => this.handleElapsedTime();
    this.membership = new Membership({ lease, clock, leaseMs, logger, readOwners, onChange });
    const goneNodes = new GoneNodes(bucket, this.directory, this.options);
    this.goneNodes = goneNodes;
    const recheck = (server: string): void => this.markChanged(server);
    const parts = { ...this.options, owners, servers, gone: goneNodes, directory: this.directory, recheck };
    this.ownership = new Ownership(parts);
    this.lastTickAt = clock.now();
    await this.membership.acquireFirstLease(() => !this.isClosed);
    await this.throwIfClosed();
    await this.directory.follow(buckets);
    await this.throwIfClosed();
    this.tick();
    await this.locations.whenMoved();
  }

  /** The bucket with the servers that the cluster must run. Writes to it add, change or remove servers. */
  get servers(): ClusterBuckets['servers'] | undefined {
    return this.buckets?.servers;
  }

  /** The known locations of the servers, by server name. */
  get places(): ReadonlyMap<string, ServerLocation> {
    return this.locations.byName;
  }

  /** False if this node cannot reach the cluster or its lease has expired. */
  get isMember(): boolean {
    return this.cluster.isConnected && this.hasLease;
  }

  /** Resolves with true if a node is gone, false if it is not, or undefined if this node cannot find out. */
  async isGone(node: string): Promise<boolean | undefined> {
    const { directory, buckets } = this;
    if (!this.isMember || !directory.isComplete || buckets === undefined) return undefined;
    const knownNode = directory.nodes().get(node);
    if (knownNode !== undefined) return !knownNode.isAlive;
    // Read the node's record directly, because the watch may not have delivered it yet.
    return buckets.nodes.get(node).then(
      (entry) => entry === undefined,
      () => undefined,
    );
  }

  get record(): NodeState {
    const { name, labels, capacity, version } = this.options;
    // A pending claim already uses capacity, although the server is not running yet.
    const servers = this.locations.localCount + (this.ownership?.pendingClaimCount ?? 0);
    return { name, labels, capacity, version, servers, isDraining: this.isDraining, started: this.startedAt };
  }

  /**
   * Releases this node's servers and makes no new claims. Resolves when it owns no server that another node may run.
   *
   * @throws ClusterError UNAVAILABLE
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.membership?.announce();
    this.reconciler.markChanged();
    this.reconcile();
    await this.ownership?.whenIdle();
    this.reconciler.assertDrained();
  }

  /**
   * Leaves the cluster gracefully, so that other nodes take over its servers at once. Waits up to 1 second for pending
   * changes, ends the servers, and takes up to 2 seconds to release them. If the cluster does not respond, the other
   * nodes wait for the lease to expire.
   */
  async close(): Promise<void> {
    const { clock, logger } = this.options;
    this.isClosed = true;
    this.stopListening();
    this.directory.close();
    await waitAtMost(MAX_IDLE_WAIT_MS, this.ownership?.whenIdle() ?? Promise.resolve(), clock);
    try {
      // Keep renewing the lease until the servers have ended, so that no other node starts them too early.
      await this.locations.endServers();
      this.timer?.cancel();
      if (!(await waitAtMost(MAX_LEAVE_MS, this.releaseAndLeave(), clock)))
        throw new Error('no answer in time');
    } catch (error) {
      logger.log('warn', 'this node has left the cluster without saying so', { problem: messageOf(error) });
    } finally {
      this.timer?.cancel();
    }
  }

  /** If this node was closed while it joined, leaves the cluster and throws. */
  private async throwIfClosed(): Promise<void> {
    if (!this.isClosed) return;
    this.directory.close();
    await this.membership?.end();
    throw new ClusterError(
      'CLOSED',
      `Node ${this.options.name} has been closed while it joined the cluster.`,
    );
  }

  private async releaseAndLeave(): Promise<void> {
    await this.ownership?.releaseAll();
    await this.membership?.end();
  }

  private connectionChanged(isConnected: boolean): void {
    const { logger, name } = this.options;
    if (isConnected) {
      this.directory.resetLeaseTimers();
      logger.log('info', 'the connection to the cluster is back', { node: name });
      void this.membership?.renew();
    } else
      logger.log('warn', 'the connection to the cluster is lost: this node goes on with its own servers');
    this.markChanged();
  }

  private markChanged(server?: string): void {
    this.reconciler.markChanged(server);
    queueMicrotask(() => this.reconcile());
  }

  private tick(): void {
    const { clock, leaseMs } = this.options;
    const now = clock.now();
    // A suspended process misses lease renewals, so the silence of other nodes does not prove that they are gone.
    const wasSuspended = now - this.lastTickAt > leaseMs / 2;
    // If this node's renewals fail, the renewals of other nodes may be failing too, although the nodes are alive.
    const isRenewalMissing = this.cluster.isConnected && this.membership?.isFresh === false;
    if (wasSuspended || isRenewalMissing) this.directory.resetLeaseTimers();
    this.lastTickAt = now;
    this.membership?.tick();
    this.handleElapsedTime();
    const { validForMs = 0 } = this.membership ?? {};
    const pauseMs = leaseMs / TICKS_PER_LEASE;
    // Schedule the next tick no later than the lease's expiry.
    this.timer = clock.schedule(() => this.tick(), validForMs > 0 ? Math.min(pauseMs, validForMs) : pauseMs);
  }

  /** Reconciles servers after changes that no event reports, such as an expired lease. */
  private handleElapsedTime(): void {
    const aliveNodeIds = [...this.directory.nodes().values()]
      .map(({ id, isAlive }) => (isAlive ? id : ''))
      .join(' ');
    const isValid = this.hasLease;
    const hasLapsed = this.wasLeaseValid && !isValid;
    if (aliveNodeIds !== this.aliveNodeIds || isValid !== this.wasLeaseValid) this.reconciler.markChanged();
    this.aliveNodeIds = aliveNodeIds;
    this.wasLeaseValid = isValid;
    for (const [name, { kind }] of this.locations.byName)
      if (kind === 'nowhere') this.reconciler.markChanged(name);
    for (const name of this.directory.owners.keys())
      if (!this.directory.servers.has(name)) this.reconciler.markChanged(name);
    this.reconcile();
    if (this.isMember) this.goneNodes?.removeSilentNodes();
    if (hasLapsed) this.host.hasten();
  }

  private get hasLease(): boolean {
    return this.membership?.isValid === true;
  }

  private reconciledNode(): ReconciledNode {
    const { id, capacity } = this.options;
    return {
      id,
      capacity,
      record: () => this.record,
      isMember: () => this.isMember,
      hasLease: () => this.hasLease,
      ownership: () => this.ownership,
    };
  }

  private reconcile(): void {
    if (!this.isClosed) this.reconciler.reconcile();
  }
}
