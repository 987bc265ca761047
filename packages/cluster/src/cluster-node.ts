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
  /** An id that no other node has ever had. May contain the characters `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** The time without a lease renewal after which other nodes take over a node's servers, in milliseconds. */
  readonly leaseMs: number;
}

/** The number of ticks within one lease. Each tick checks the other nodes. */
export const TICKS_PER_LEASE = 12;
/** The maximum time for which a leaving node waits for pending changes, in milliseconds. */
const MAX_IDLE_WAIT_MS = 1000;
/** The maximum time for a leaving node to release its servers, in milliseconds, in case the engine does not respond. */
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
   * Joins the cluster. Resolves when the other nodes are known, and the host has received all servers.
   *
   * @throws ClusterError UNAVAILABLE, or CLOSED if this node is closed in the meantime
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

  /** The known locations of the servers. */
  get places(): ReadonlyMap<string, ServerLocation> {
    return this.locations.byName;
  }

  /** False if this node cannot reach the cluster or its lease has expired. */
  get isMember(): boolean {
    return this.cluster.isConnected && this.hasLease;
  }

  /** Resolves with whether a node is gone, or with undefined if the node's state is unknown. */
  async isGone(node: string): Promise<boolean | undefined> {
    const { directory, buckets } = this;
    if (!this.isMember || !directory.isComplete || buckets === undefined) return undefined;
    const knownNode = directory.nodes().get(node);
    if (knownNode !== undefined) return !knownNode.isAlive;
    // The watch may deliver a node's record late.
    return buckets.nodes.get(node).then(
      (entry) => entry === undefined,
      () => undefined,
    );
  }

  /** The current record of this node. */
  get record(): NodeState {
    const { name, labels, capacity, version } = this.options;
    // A pending claim already uses capacity, although the server is not running yet.
    const servers = this.locations.localCount + (this.ownership?.pendingClaimCount ?? 0);
    return { name, labels, capacity, version, servers, isDraining: this.isDraining, started: this.startedAt };
  }

  /**
   * Releases this node's servers and claims no more. Resolves when it owns no server that another node may run.
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
      // Renewals continue until the servers have ended. Otherwise, other nodes would start these servers too early.
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

  /** Undoes the start and throws if this node has been closed in the meantime. */
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
    // If this process was suspended, it has missed lease renewals from the other nodes, which may all still be alive.
    const wasSuspended = now - this.lastTickAt > leaseMs / 2;
    // While the cluster stores no renewals of this node, missing renewals of other nodes prove nothing.
    const isRenewalMissing = this.cluster.isConnected && this.membership?.isFresh === false;
    if (wasSuspended || isRenewalMissing) this.directory.resetLeaseTimers();
    this.lastTickAt = now;
    this.membership?.tick();
    this.handleElapsedTime();
    const { validForMs = 0 } = this.membership ?? {};
    const pauseMs = leaseMs / TICKS_PER_LEASE;
    // Tick as soon as the lease expires.
    this.timer = clock.schedule(() => this.tick(), validForMs > 0 ? Math.min(pauseMs, validForMs) : pauseMs);
  }

  /** Reacts to changes that the mere passage of time causes, such as expired leases and claims that are now allowed. */
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

  /** Returns this node as the reconciler sees it. */
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
