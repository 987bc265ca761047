import { nullLogger } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';

import { ClusterError, type Bucket } from '../cluster.js';
import { ClusterNode, type ClusterNodeOptions } from '../cluster-node.js';
import type { ClusterHost, ServerLocation } from '../server-locations.js';
import { MemoryNetwork, type MemoryCluster } from '../memory-network.js';
import { encodeRecord, keyOf, ownerRecord, type OwnerRecord, type PlacementRules } from '../records.js';

const LEASE_MS = 12_000;
const STEP_MS = 100;

/** A host without servers: it notes what the node tells it. */
export class NotingHost implements ClusterHost {
  readonly here = new Set<string>();
  /** When the node has asked for haste. Readings of the clock. */
  readonly hastened: number[] = [];
  /** What the end of each server waits for. */
  ending: Promise<void> = Promise.resolve();

  constructor(private readonly rig: Pick<NodeRig, 'clock' | 'placing'>) {}

  place(server: string, { kind }: ServerLocation): Promise<void> {
    if (kind === 'here') this.here.add(server);
    return kind !== 'here' && this.here.delete(server) ? this.ending : this.rig.placing;
  }

  hasten(): void {
    this.hastened.push(this.rig.clock.now());
  }
}

/** One node of a {@link NodeRig}. */
export interface NotedNode {
  readonly id: string;
  readonly node: ClusterNode;
  readonly host: NotingHost;
  readonly cluster: MemoryCluster;
}

/** Nodes of a cluster without servers, over a network in memory, in time that a test moves. */
export class NodeRig {
  readonly leaseMs = LEASE_MS;
  readonly clock = new ManualClock();
  readonly network = new MemoryNetwork({ clock: this.clock });
  /** What each new place of a server waits for. */
  placing: Promise<void> = Promise.resolve();
  /** True: the nodes are connected, and every operation on a bucket fails, as those of JetStream without a majority. */
  hasNoMajority = false;
  /** True: no operation on a bucket ever ends, as with a NATS server that hangs. */
  isHanging = false;
  /** Which changes the watch of a bucket loses for the node of that name. */
  isLost: (node: string, bucket: string, key: string) => boolean = () => false;

  async node(name: string, options: Partial<ClusterNodeOptions> = {}): Promise<NotedNode> {
    const made = this.make(name, options);
    await made.node.start();
    await nextTurn();
    return made;
  }

  /** A node that has not joined. */
  make(name: string, options: Partial<ClusterNodeOptions> = {}): NotedNode {
    const { clock, leaseMs } = this;
    const cluster = this.network.join();
    const open = cluster.bucket.bind(cluster);
    cluster.bucket = async (bucket, all) =>
      this.gated(await open(bucket, all), (key) => this.isLost(name, bucket, key));
    const host = new NotingHost(this);
    const id = `${name}-1`;
    const all = { id, name, labels: [], capacity: 100, version: '1.0.0', leaseMs, clock, logger: nullLogger };
    const node = new ClusterNode(cluster, { ...all, ...options }, host);
    return { id: options.id ?? id, node, host, cluster };
  }

  /** Has the cluster run servers. */
  async servers(names: readonly string[], rules: PlacementRules = {}): Promise<void> {
    const bucket = await this.network.join().bucket('servers');
    for (const name of names) await bucket.create(keyOf(name), encodeRecord({ spec: {}, ...rules }));
    await nextTurn();
  }

  /** Has the cluster run a server no more. */
  async remove(name: string): Promise<void> {
    const bucket = await this.network.join().bucket('servers');
    await bucket.delete(keyOf(name), (await bucket.get(keyOf(name)))?.revision ?? 0);
    await nextTurn();
  }

  /** What the cluster says of the owner of a server; undefined for nobody. */
  async owner(server: string): Promise<OwnerRecord | undefined> {
    const entry = await (await this.network.join().bucket('owners')).get(keyOf(server));
    return entry && ownerRecord(entry.value);
  }

  /** Lets time pass, with what the nodes do in the meantime. */
  async pass(ms: number): Promise<void> {
    for (const until = this.clock.now() + ms; this.clock.now() < until;) {
      this.clock.advance(Math.min(STEP_MS, until - this.clock.now()));
      await nextTurn();
    }
  }

  private gated(bucket: Bucket, isLost: (key: string) => boolean): Bucket {
    const led = <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (this.isHanging) return new Promise(() => undefined);
      return this.hasNoMajority
        ? Promise.reject(new ClusterError('UNAVAILABLE', 'nobody leads the bucket'))
        : work();
    };
    return {
      get: (key) => led(() => bucket.get(key)),
      create: (key, value) => led(() => bucket.create(key, value)),
      update: (key, value, revision) => led(() => bucket.update(key, value, revision)),
      delete: (key, revision) => led(() => bucket.delete(key, revision)),
      watch: (onChange) =>
        led(() =>
          bucket.watch((change) => {
            if (!isLost(change.key)) onChange(change);
          }),
        ),
    };
  }
}
