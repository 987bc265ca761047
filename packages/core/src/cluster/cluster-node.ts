import { messageOf } from '../base/errors.js';
import type { Clock, Timer } from '../base/clock.js';
import type { Logger } from '../base/logger.js';
import type { Cluster } from './cluster.js';
import { clusterBuckets, Directory, type ClusterBuckets } from './directory.js';
import { Lease } from './lease.js';
import { Ownership } from './ownership.js';
import { decide, whyNowhere, type NodeView, type PlacementView } from './placement.js';
import { Places, type ClusterHost, type Place } from './places.js';
import type { NodeRecord, ServerRecord } from './records.js';

/** Settings of a {@link ClusterNode}. */
export interface ClusterNodeOptions extends Pick<NodeRecord, 'name' | 'labels' | 'capacity' | 'version'> {
  /** Unique among all nodes there ever were. Of `[A-Za-z0-9_-]`. */
  readonly id: string;
  /** After this time without a sign of life other nodes take the servers of a node, in milliseconds. */
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** How long a start may take, in leases. */
const START_LEASES = 3;
const RENEWALS_PER_LEASE = 4;
const TICKS_PER_LEASE = 12;

/** One node of a cluster: says that it is there, and runs the servers that it owns. */
export class ClusterNode {
  readonly directory: Directory;
  private readonly isDirty = new Set<string>();
  private isAllDirty = true;
  private readonly placed: Places;
  private ownership: Ownership | undefined;
  private lease: Lease | undefined;
  private buckets: ClusterBuckets | undefined;
  private timer: Timer | undefined;
  private readonly startedAt = new Date().toISOString();
  private isDraining = false;
  private isClosed = false;
  private isSettling = false;
  private isRenewing = false;
  private tickedAt = 0;
  private renewed = 0;
  private wasValid = false;
  private alive = '';
  private readonly stop: () => void;

  constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterNodeOptions,
    host: ClusterHost,
  ) {
    this.placed = new Places(host, options.logger);
    this.directory = new Directory(options.clock, options.leaseMs, (server) => this.changed(server));
    this.stop = cluster.onConnection((isConnected) => this.connection(isConnected));
  }

  /** Joins the cluster. Resolves when this node knows the others. @throws ClusterError UNAVAILABLE */
  async start(): Promise<void> {
    const { clock, id: key, leaseMs } = this.options;
    this.buckets = await clusterBuckets(this.cluster);
    const { nodes: bucket, owners } = this.buckets;
    this.lease = new Lease({ bucket, clock, key, leaseMs, record: () => this.record });
    this.ownership = new Ownership({ ...this.options, owners, nodes: bucket, directory: this.directory });
    this.tickedAt = clock.now();
    await this.firstRenewal(this.lease);
    this.renewed = clock.now();
    await this.directory.follow(this.buckets);
    this.tick();
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
    return this.cluster.isConnected && this.lease?.isValid === true;
  }

  /** What this node says of itself. */
  get record(): NodeRecord {
    const { name, labels, capacity, version } = this.options;
    const servers = this.placed.here;
    return { name, labels, capacity, version, servers, isDraining: this.isDraining, started: this.startedAt };
  }

  /** Gives the servers of this node away, and takes no more. Resolves when it has none that another node may run. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.lease?.renew();
    this.changed();
    await this.ownership?.whenIdle();
  }

  /** Leaves the cluster in order: the other nodes take its servers at once. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.timer?.cancel();
    this.stop();
    this.directory.close();
    await this.ownership?.whenIdle();
    try {
      await this.placed.leave();
      await this.ownership?.releaseAll();
      await this.lease?.end();
    } catch (error) {
      this.options.logger.log('debug', 'this node has left the cluster without saying so', {
        problem: messageOf(error),
      });
    }
  }

  private connection(isConnected: boolean): void {
    const { logger, name } = this.options;
    if (isConnected) {
      this.directory.forgive();
      logger.log('info', 'the connection to the cluster is back', { node: name });
      void this.renew();
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
    if (this.isClosed) return;
    const { clock, leaseMs } = this.options;
    const now = clock.now();
    // This process was stopped: it could not hear the others, and they may have taken its servers.
    if (now - this.tickedAt > leaseMs / 2) this.directory.forgive();
    this.tickedAt = now;
    this.timer = clock.schedule(() => this.tick(), leaseMs / TICKS_PER_LEASE);
    if (!this.isRenewing && now - this.renewed >= leaseMs / RENEWALS_PER_LEASE) void this.renew();
    const alive = [...this.directory.nodes().values()]
      .map(({ id, isAlive }) => (isAlive ? id : ''))
      .join(' ');
    const isValid = this.lease?.isValid === true;
    if (alive !== this.alive || isValid !== this.wasValid) this.isAllDirty = true;
    this.alive = alive;
    this.wasValid = isValid;
    for (const [name, { kind }] of this.placed.all) if (kind === 'nowhere') this.isDirty.add(name);
    this.settle();
  }

  /** An engine that is busy, or chooses a leader, gets time. */
  private async firstRenewal(lease: Lease): Promise<void> {
    const { clock, leaseMs } = this.options;
    const until = clock.now() + START_LEASES * leaseMs;
    while (!lease.isValid) {
      try {
        await lease.renew();
      } catch (error) {
        if (clock.now() > until) throw error;
        await new Promise<void>((resolve) => {
          clock.schedule(resolve, leaseMs / TICKS_PER_LEASE);
        });
      }
    }
  }

  private async renew(): Promise<void> {
    this.renewed = this.options.clock.now();
    this.isRenewing = true;
    try {
      await this.lease?.renew();
    } catch (error) {
      this.options.logger.log('debug', 'the lease was not renewed', { problem: messageOf(error) });
    }
    this.isRenewing = false;
  }

  /** Brings this node into agreement with the directory. */
  private settle(): void {
    if (this.isSettling || this.isClosed || this.ownership === undefined) return;
    this.isSettling = true;
    const nodes = this.directory.nodes();
    const all = this.isAllDirty ? [...this.directory.servers.keys(), ...this.placed.all.keys()] : [];
    const names = new Set([...all, ...this.isDirty]);
    this.isAllDirty = false;
    this.isDirty.clear();
    for (const name of names) this.settleOne(name, nodes);
    this.isSettling = false;
  }

  private settleOne(server: string, nodes: ReadonlyMap<string, NodeView>): void {
    const { directory, options, ownership } = this;
    const { id: me } = options;
    const known = directory.servers.get(server);
    const owner = directory.owners.get(server);
    if (known === undefined) {
      const ended = this.placed.move(server, { kind: 'gone' });
      if (owner?.node === me) ownership?.release(server, owner.epoch, ended);
      return;
    }
    const rules = known.record;
    const missedTurns = ownership?.missedTurns(server, nodes) ?? 0;
    const view: PlacementView = { server, rules, owner, nodes, me, missedTurns };
    const decision = this.isMember ? decide(view) : undefined;
    if (decision?.kind === 'claim' && this.placed.here < options.capacity)
      ownership?.claim(server, decision.replaces);
    if (decision?.kind === 'release') {
      const ended = this.placed.move(server, {
        kind: 'nowhere',
        record: rules,
        reason: 'it moves to another node',
      });
      return ownership?.release(server, decision.epoch, ended);
    }
    void this.placed.move(server, this.placeOf(view, known));
  }

  private placeOf(view: PlacementView, known: { record: ServerRecord; revision: number }): Place {
    const { owner, rules, me, nodes } = view;
    if (owner?.node === me) {
      if (rules.singleton === true && this.lease?.isValid !== true)
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
