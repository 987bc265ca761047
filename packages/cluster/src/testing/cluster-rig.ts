import {
  createMux,
  type ExposureMode,
  type LoginStore,
  type Mux,
  type PinMode,
  type ServerConfig,
} from '@mcpmux/core';
import { systemClock } from '@mcpmux/kit';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { fixtureCommand, Lifeline, type FixtureName } from '@mcpmux/test-servers';

import { ClusterMember } from '../cluster-member.js';
import type { RunnableServer } from '../cluster-server.js';
import type { Cluster } from '../cluster.js';
import type { PlacementRules } from '../records.js';

/** How long a node of a rig may be silent, in milliseconds. */
const LEASE_MS = 600;
/** The nodes of a cluster share it. */
const STATE_KEY = Buffer.alloc(32, 1);

/** One node of a rig. */
export interface RigNode {
  readonly name: string;
  readonly mux: Mux;
  readonly member: ClusterMember;
  readonly cluster: Cluster;
}

/** Settings of one node of a rig. */
export interface RigNodeOptions {
  readonly labels?: readonly string[];
  readonly capacity?: number;
  readonly pinTools?: PinMode;
  /** What the clock of the node is ahead of the others, in milliseconds. */
  readonly aheadMs?: number;
  /** Opens the logins of the node. */
  readonly logins?: (cluster: Cluster) => Promise<LoginStore>;
  /** Gets the mux before the node joins. */
  readonly onMux?: (mux: Mux) => void;
}

/** Several muxes of this process as nodes of one cluster. */
export class ClusterRig implements AsyncDisposable {
  readonly nodes: RigNode[] = [];

  private constructor(
    private readonly lifeline: Lifeline,
    private readonly join: () => Promise<Cluster>,
    private readonly leaseMs: number,
  ) {}

  /** @param join opens a connection of one node */
  static async open(join: () => Promise<Cluster>, leaseMs = LEASE_MS): Promise<ClusterRig> {
    return new ClusterRig(await Lifeline.open(), join, leaseMs);
  }

  async node(name: string, options: RigNodeOptions = {}): Promise<RigNode> {
    const { labels = [], capacity = 100, pinTools = 'warn', aheadMs = 0, logins, onMux } = options;
    const cluster = await this.join();
    const environment = { ...process.env, LIFELINE: this.lifeline.address };
    const components = { environment, ...(logins && { logins: await logins(cluster) }) };
    const mux = createMux({ requestStateKey: STATE_KEY, pinTools, firstEra: 'modern' }, components);
    onMux?.(mux);
    const member = new ClusterMember({
      cluster,
      mux,
      id: `${name}-${this.nodes.length}`,
      name,
      labels,
      capacity,
      version: '1.0.0',
      leaseMs: this.leaseMs,
      clock: { ...systemClock, now: () => systemClock.now() + aheadMs },
      runnable: (_, spec) => runnableOf(spec),
    });
    await member.start();
    const node = { name, mux, member, cluster };
    this.nodes.push(node);
    return node;
  }

  /** Has the cluster run a fixture under its own name. Resolves when every node can use it. */
  async server(fixture: FixtureName, rules: PlacementRules = {}): Promise<RigNode> {
    const { command, args } = fixtureCommand(fixture);
    const [first] = this.nodes;
    await first?.member.publish(fixture, { spec: { command, args }, ...rules }, true);
    await Promise.all(this.nodes.map(({ mux }) => untilRunning(mux, fixture)));
    return this.ownerOf(fixture);
  }

  /** The node that runs a server. */
  ownerOf(server: string): RigNode {
    const owner = this.nodes.find(({ member }) => member.node.places.get(server)?.kind === 'here');
    if (owner === undefined) throw new Error(`no node runs ${server}`);
    return owner;
  }

  /** A node that does not run a server. */
  otherThan(owner: RigNode): RigNode {
    const other = this.nodes.find((node) => node !== owner);
    if (other === undefined) throw new Error('there is only one node');
    return other;
  }

  /** A client of a node. */
  client({ mux }: RigNode, capabilities: object = {}): Promise<MuxClient> {
    return MuxClient.initialized(mux, capabilities);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      this.nodes.map(async ({ member, mux, cluster }) => {
        await member.close();
        await mux.close();
        await cluster.close();
      }),
    );
    await this.lifeline[Symbol.asyncDispose]();
  }
}

/** A spec of a rig is a configuration, and the exposure of the server. */
function runnableOf(spec: unknown): RunnableServer {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rig itself has published it
  const { exposure, ...config } = spec as ServerConfig & { readonly exposure?: ExposureMode };
  return exposure === undefined
    ? { config }
    : { config, tools: { exposure: { mode: exposure }, shown: () => undefined } };
}

/** Resolves when a server of a mux runs. */
export function untilRunning(mux: Mux, name: string): Promise<void> {
  const runs = (): boolean =>
    mux.listServers().some((server) => server.name === name && server.status === 'running');
  if (runs()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = mux.on('server:state', () => {
      if (!runs()) return;
      stop();
      resolve();
    });
  });
}
