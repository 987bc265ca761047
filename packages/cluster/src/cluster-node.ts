import { type Clock, type Logger, messageOf, type Timer, waitAtMost } from '@mcpmux/kit';
import { ClusterError, type Cluster } from './cluster.js';
import { clusterBuckets, Directory, type ClusterBuckets } from './directory.js';
import { GoneNodes } from './gone-nodes.js';
import { Lease } from './lease.js';
import { Membership } from './membership.js';
import { Ownership } from './ownership.js';
import { decide, MOVES, whyNowhere, type NodeView, type PlacementView } from './placement.js';
import { Places, type ClusterHost, type Place } from './places.js';
import type { NodeRecord, NodeState, ServerRecord } from './records.js';

/** Settings of a {@link ClusterNode}. */
export interface ClusterNodeOptions extends Pick<NodeRecord, 'name' | 'labels' | 'capacity' | 'version'> {
  /** Unique among all nodes there ever were. Of `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** After this time without a sign of life other nodes take the servers of a node, in milliseconds. */
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How often a node looks at the others, in a lease. */
export const TICKS_PER_LEASE = 12;
/** The time that changes on their way get when a node leaves, in milliseconds. */
const IDLE_MS = 1000;
/** The time in which a node that leaves gives its servers away, in milliseconds. An engine that hangs never answers. */
const GOODBYE_MS = 2000;

/** One node of a cluster: says that it is there, and runs the servers that it owns. */
export class ClusterNode {
  readonly directory: Directory;
  private readonly isDirty = new Set<string>();
  private isAllDirty = true;
  private readonly placed: Places;
  private ownership: Ownership | undefined;
  private gone: GoneNodes | undefined;
  private membership: Membership | undefined;
  private buckets: ClusterBuckets | undefined;
  private timer: Timer | undefined;
  private readonly startedAt = new Date().toISOString();
  private isDraining = false;
  private isClosed = false;
  private isSettling = false;
  private tickedAt = 0;
  private wasValid = false;
  private alive = '';
  private readonly stop: () => void;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterNodeOptions,
    private readonly host: ClusterHost,
  ) {
    this.placed = new Places(host, options.logger);
    this.directory = new Directory(options.clock, options.leaseMs, (server) => this.changed(server));
    this.stop = cluster.onConnection((isConnected) => this.connection(isConnected));
  }

  /**
   * Joins the cluster. Resolves when this node knows the others, and its host the servers.
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
    const onChange = (): void => this.look();
    this.membership = new Membership({ lease, clock, leaseMs, logger, readOwned, onChange });
    const gone = new GoneNodes({ ...this.options, nodes: bucket, directory: this.directory });
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

  /** The servers that the cluster is to run: to add, change and remove them. */
  get servers(): ClusterBuckets['servers'] | undefined {
    return this.buckets?.servers;
  }

  /** Where this node has its servers. */
  get places(): ReadonlyMap<string, Place> {
    return this.placed.all;
  }

  /** False when the other nodes cannot be reached, or count this one as gone. */
  get isMember(): boolean {
    return this.cluster.isConnected && this.membership?.isValid === true;
  }

  /** Resolves to true if the cluster counts a node as gone; to undefined when this node cannot tell. */
  async isGone(node: string): Promise<boolean | undefined> {
    const { directory, buckets } = this;
    if (!this.isMember || !directory.isComplete || buckets === undefined) return undefined;
    const known = directory.nodes().get(node);
    if (known !== undefined) return !known.isAlive;
    // A watch may bring the record of a node late.
    return buckets.nodes.get(node).then(
      (entry) => entry === undefined,
      () => undefined,
    );
  }

  /** The record of this node, as it is now. */
  get record(): NodeState {
    const { name, labels, capacity, version } = this.options;
    // A claim takes room before the server runs.
    const servers = this.placed.here + (this.ownership?.claiming ?? 0);
    return { name, labels, capacity, version, servers, isDraining: this.isDraining, started: this.startedAt };
  }

  /**
   * Gives the servers of this node away, and takes no more. Resolves when it owns none that another node may run.
   *
   * @throws ClusterError UNAVAILABLE
   */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.membership?.announce();
    this.isAllDirty = true;
    this.settle();
    await this.ownership?.whenIdle();
    const nodes = this.views();
    const left = [...this.directory.servers.keys()].filter(
      (server) => decide(this.viewOf(server, nodes)).kind === 'release',
    );
    if (left.length > 0) throw notDrained(this.options.name, left);
  }

  /**
   * Leaves the cluster in order: the other nodes take its servers at once. Ends the servers, and waits at most 3 seconds
   * for the cluster besides; when the cluster does not answer, the others wait for the end of the lease.
   */
  async close(): Promise<void> {
    const { clock, logger } = this.options;
    this.isClosed = true;
    this.stop();
    this.directory.close();
    await waitAtMost(IDLE_MS, this.ownership?.whenIdle() ?? Promise.resolve(), clock);
    try {
      // The lease is renewed until then: others would start these servers otherwise.
      await this.placed.leave();
      this.timer?.cancel();
      if (!(await waitAtMost(GOODBYE_MS, this.sayGoodbye(), clock))) throw new Error('no answer in time');
    } catch (error) {
      logger.log('warn', 'this node has left the cluster without saying so', { problem: messageOf(error) });
    } finally {
      this.timer?.cancel();
    }
  }

  /** Ends what a start has begun after the end of this node. */
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
      this.directory.forgive();
      logger.log('info', 'the connection to the cluster is back', { node: name });
      void this.membership?.renew();
    } else
      logger.log('warn', 'the connection to the cluster is lost: this node goes on with its own servers');
    this.changed();
  }

  private changed(server?: string): void {
    if (server === undefined) this.isAllDirty = true;
    else this.isDirty.add(server);
    queueMicrotask(() => this.settle());
  }

  private tick(): void {
    const { clock, leaseMs } = this.options;
    const now = clock.now();
    // This process was stopped: it could not hear the others, and they may have taken its servers.
    const wasStopped = now - this.tickedAt > leaseMs / 2;
    // The buckets have no leader: the silence of the others means nothing.
    const isUnheard = this.cluster.isConnected && this.membership?.isHeard === false;
    if (wasStopped || isUnheard) this.directory.forgive();
    this.tickedAt = now;
    this.membership?.tick();
    this.look();
    const { validForMs = 0 } = this.membership ?? {};
    const pauseMs = leaseMs / TICKS_PER_LEASE;
    // The end of the lease is noticed at once.
    this.timer = clock.schedule(() => this.tick(), validForMs > 0 ? Math.min(pauseMs, validForMs) : pauseMs);
  }

  /** Notices what time alone changes: which nodes live, this one too, and whose turn it is. */
  private look(): void {
    const alive = [...this.directory.nodes().values()]
      .map(({ id, isAlive }) => (isAlive ? id : ''))
      .join(' ');
    const isValid = this.membership?.isValid === true;
    const hasLapsed = this.wasValid && !isValid;
    if (alive !== this.alive || isValid !== this.wasValid) this.isAllDirty = true;
    this.alive = alive;
    this.wasValid = isValid;
    for (const [name, { kind }] of this.placed.all) if (kind === 'nowhere') this.isDirty.add(name);
    for (const name of this.directory.owners.keys())
      if (!this.directory.servers.has(name)) this.isDirty.add(name);
    this.settle();
    if (this.isMember) this.gone?.tidy();
    if (hasLapsed) this.host.hasten();
  }

  /** Brings this node into agreement with the directory. */
  private settle(): void {
    if (this.isSettling || this.isClosed || !this.directory.isComplete) return;
    this.isSettling = true;
    const nodes = this.views();
    const all = this.isAllDirty ? [...this.directory.servers.keys(), ...this.placed.all.keys()] : [];
    const names = new Set([...all, ...this.isDirty]);
    this.isAllDirty = false;
    this.isDirty.clear();
    for (const name of names) this.settleOne(name, nodes);
    this.isSettling = false;
  }

  private settleOne(server: string, nodes: ReadonlyMap<string, NodeView>): void {
    const { directory, options, ownership } = this;
    const known = directory.servers.get(server);
    if (known === undefined) return this.settleRemoved(server, nodes);
    const rules = known.record;
    const view = this.viewOf(server, nodes);
    const decision = this.isMember ? decide(view) : undefined;
    if (decision?.kind === 'claim' && this.record.servers < options.capacity)
      ownership?.claim(server, decision.replaces);
    if (decision?.kind === 'release') {
      const ended = this.placed.move(server, { kind: 'nowhere', record: rules, reason: MOVES });
      return ownership?.release(server, decision.owner, ended);
    }
    void this.placed.move(server, this.placeOf(view, known));
  }

  /** The cluster no longer has the server: its owner says that nobody runs it, or any node if that one is gone. */
  private settleRemoved(server: string, nodes: ReadonlyMap<string, NodeView>): void {
    const ended = this.placed.move(server, { kind: 'gone' });
    const owner = this.directory.owners.get(server);
    if (owner?.node === this.options.id) this.ownership?.forget(server, owner, ended);
    else if (owner !== undefined && this.isMember && nodes.get(owner.node)?.isAlive !== true)
      this.ownership?.clear(server, owner);
  }

  private views(): ReadonlyMap<string, NodeView> {
    return this.directory.nodes({ id: this.options.id, record: this.record });
  }

  private viewOf(server: string, nodes: ReadonlyMap<string, NodeView>): PlacementView {
    const { directory, options, ownership } = this;
    const rules = directory.servers.get(server)?.record ?? {};
    const missedTurns = ownership?.missedTurns(server, nodes) ?? 0;
    return { server, rules, owner: directory.owners.get(server), nodes, me: options.id, missedTurns };
  }

  private placeOf(view: PlacementView, known: { record: ServerRecord }): Place {
    const { owner, rules, me, nodes } = view;
    if (owner?.node === me) {
      if (rules.singleton === true && this.membership?.isValid !== true)
        return { kind: 'nowhere', record: known.record, reason: UNSURE };
      return { kind: 'here', ...known, epoch: owner.epoch };
    }
    if (owner !== undefined && nodes.get(owner.node)?.isAlive === true)
      return { kind: 'there', record: known.record, node: owner.node, name: owner.name, epoch: owner.epoch };
    const reason = this.isMember ? whyNowhere(view) : NOT_CONNECTED;
    return { kind: 'nowhere', record: known.record, reason };
  }
}

const UNSURE = 'this node cannot renew its lease, and the server is a singleton';
const NOT_CONNECTED = 'this node has no connection to the cluster';

function notDrained(node: string, servers: readonly string[]): ClusterError {
  const count = servers.length === 1 ? 'a server' : `${servers.length} servers`;
  const message =
    `Node ${node} still owns ${count} that another node may run: ${servers.join(', ')}. ` +
    'The cluster has not taken the change. The node takes no more servers, and gives these away when it can. ' +
    'Drain it again to wait for that.';
  return new ClusterError('UNAVAILABLE', message);
}
