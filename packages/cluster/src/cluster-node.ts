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
  /** Unique among all present and former nodes. Characters `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** Time without a sign of life after which other nodes take the servers of a node, in milliseconds. */
  readonly leaseMs: number;
}

/** Number of times that a node checks the other nodes within one lease. */
export const TICKS_PER_LEASE = 12;
/** Time for pending changes to finish when a node leaves, in milliseconds. */
const IDLE_MS = 1000;
/** Maximum time for a leaving node to release its servers, in milliseconds. An engine that hangs never answers. */
const GOODBYE_MS = 2000;

/** One node of a cluster. It renews its lease, and runs the servers that it owns. */
export class ClusterNode {
  readonly directory: Directory;
  private readonly placed: ServerLocations;
  private ownership: Ownership | undefined;
  private readonly reconciler: Reconciler;
  private gone: GoneNodes | undefined;
  private membership: Membership | undefined;
  private buckets: ClusterBuckets | undefined;
  private timer: Timer | undefined;
  private readonly startedAt = new Date().toISOString();
  private isDraining = false;
  private isClosed = false;
  private tickedAt = 0;
  private wasValid = false;
  private alive = '';
  private readonly stop: () => void;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterNodeOptions,
    private readonly host: ClusterHost,
  ) {
    this.placed = new ServerLocations(host, options.logger);
    this.directory = new Directory(options.clock, options.leaseMs, (server) => this.changed(server));
    this.reconciler = new Reconciler(this.reconciled(), this.directory, this.placed);
    this.stop = cluster.onConnection((isConnected) => this.connection(isConnected));
  }

  /**
   * Joins the cluster. Resolves when this node knows the other nodes, and its host knows the servers.
   *
   * @throws ClusterError UNAVAILABLE; CLOSED when this node is closed meanwhile
   */
  async start(): Promise<void> {
    const { clock, leaseMs, logger, id } = this.options;
    const buckets = await clusterBuckets(this.cluster);
    this.buckets = buckets;
    const { nodes: bucket, owners, servers } = buckets;
    const lease = new Lease({ bucket, clock, key: id, leaseMs, record: () => this.record });
    const readOwned = (): Promise<void> => this.directory.readOwners(buckets, id);
    const onChange = (): void => this.checkTime();
    this.membership = new Membership({ lease, clock, leaseMs, logger, readOwned, onChange });
    const gone = new GoneNodes(bucket, this.directory, this.options);
    this.gone = gone;
    const lookAgain = (server: string): void => this.changed(server);
    const parts = { ...this.options, owners, servers, gone, directory: this.directory, lookAgain };
    this.ownership = new Ownership(parts);
    this.tickedAt = clock.now();
    await this.membership.begin(() => !this.isClosed);
    await this.unlessClosed();
    await this.directory.follow(buckets);
    await this.unlessClosed();
    this.tick();
    await this.placed.settled();
  }

  /** The bucket of the servers that the cluster must run, for adding, changing and removing servers. */
  get servers(): ClusterBuckets['servers'] | undefined {
    return this.buckets?.servers;
  }

  /** The locations of the servers, as this node knows them. */
  get places(): ReadonlyMap<string, ServerLocation> {
    return this.placed.all;
  }

  /** False if this node cannot reach the cluster, or its lease has run out. */
  get isMember(): boolean {
    return this.cluster.isConnected && this.hasLease;
  }

  /** Resolves to true if the cluster considers a node gone; to undefined if this node cannot tell. */
  async isGone(node: string): Promise<boolean | undefined> {
    const { directory, buckets } = this;
    if (!this.isMember || !directory.isComplete || buckets === undefined) return undefined;
    const known = directory.nodes().get(node);
    if (known !== undefined) return !known.isAlive;
    // The watch may deliver a node's record late.
    return buckets.nodes.get(node).then(
      (entry) => entry === undefined,
      () => undefined,
    );
  }

  /** The current record of this node. */
  get record(): NodeState {
    const { name, labels, capacity, version } = this.options;
    // A claim takes capacity before the server runs.
    const servers = this.placed.here + (this.ownership?.claiming ?? 0);
    return { name, labels, capacity, version, servers, isDraining: this.isDraining, started: this.startedAt };
  }

  /**
   * Releases the servers of this node, and takes no more. Resolves when it owns no server that another node may run.
   *
   * @throws ClusterError UNAVAILABLE
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.membership?.announce();
    this.reconciler.mark();
    this.reconcile();
    await this.ownership?.whenIdle();
    this.reconciler.assertDrained();
  }

  /**
   * Leaves the cluster in order, so that the other nodes take its servers at once. Ends the servers, and waits at most
   * 3 seconds for the cluster in addition. If the cluster does not answer, the other nodes wait for the end of the
   * lease.
   */
  async close(): Promise<void> {
    const { clock, logger } = this.options;
    this.isClosed = true;
    this.stop();
    this.directory.close();
    await waitAtMost(IDLE_MS, this.ownership?.whenIdle() ?? Promise.resolve(), clock);
    try {
      // The lease is renewed until the servers have ended. Otherwise, other nodes would start these servers too early.
      await this.placed.leave();
      this.timer?.cancel();
      if (!(await waitAtMost(GOODBYE_MS, this.sayGoodbye(), clock))) throw new Error('no answer in time');
    } catch (error) {
      logger.log('warn', 'this node has left the cluster without saying so', { problem: messageOf(error) });
    } finally {
      this.timer?.cancel();
    }
  }

  /** Undoes the effects of a start if this node has been closed in the meantime. */
  private async unlessClosed(): Promise<void> {
    if (!this.isClosed) return;
    this.directory.close();
    await this.membership?.end();
    throw new ClusterError(
      'CLOSED',
      `Node ${this.options.name} has been closed while it joined the cluster.`,
    );
  }

  private async sayGoodbye(): Promise<void> {
    await this.ownership?.releaseAll();
    await this.membership?.end();
  }

  private connection(isConnected: boolean): void {
    const { logger, name } = this.options;
    if (isConnected) {
      this.directory.resetLeaseTimers();
      logger.log('info', 'the connection to the cluster is back', { node: name });
      void this.membership?.renew();
    } else
      logger.log('warn', 'the connection to the cluster is lost: this node goes on with its own servers');
    this.changed();
  }

  private changed(server?: string): void {
    this.reconciler.mark(server);
    queueMicrotask(() => this.reconcile());
  }

  private tick(): void {
    const { clock, leaseMs } = this.options;
    const now = clock.now();
    // This process was suspended, so it missed signs of life, and other nodes may have taken its servers.
    const wasStopped = now - this.tickedAt > leaseMs / 2;
    // The buckets have no leader, so the silence of the other nodes means nothing.
    const hasNoEcho = this.cluster.isConnected && this.membership?.isHeard === false;
    if (wasStopped || hasNoEcho) this.directory.resetLeaseTimers();
    this.tickedAt = now;
    this.membership?.tick();
    this.checkTime();
    const { validForMs = 0 } = this.membership ?? {};
    const pauseMs = leaseMs / TICKS_PER_LEASE;
    // The end of the lease is noticed at once.
    this.timer = clock.schedule(() => this.tick(), validForMs > 0 ? Math.min(pauseMs, validForMs) : pauseMs);
  }

  /** Handles the effects of time: which nodes are alive, including this node, and which node may claim next. */
  private checkTime(): void {
    const alive = [...this.directory.nodes().values()]
      .map(({ id, isAlive }) => (isAlive ? id : ''))
      .join(' ');
    const isValid = this.hasLease;
    const hasLapsed = this.wasValid && !isValid;
    if (alive !== this.alive || isValid !== this.wasValid) this.reconciler.mark();
    this.alive = alive;
    this.wasValid = isValid;
    for (const [name, { kind }] of this.placed.all) if (kind === 'nowhere') this.reconciler.mark(name);
    for (const name of this.directory.owners.keys())
      if (!this.directory.servers.has(name)) this.reconciler.mark(name);
    this.reconcile();
    if (this.isMember) this.gone?.tidy();
    if (hasLapsed) this.host.hasten();
  }

  private get hasLease(): boolean {
    return this.membership?.isValid === true;
  }

  /** Returns the reconciler's view of this node. */
  private reconciled(): ReconciledNode {
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
    if (!this.isClosed) this.reconciler.run();
  }
}
