import { isDeepStrictEqual } from 'node:util';

import {
  type AddOptions,
  type AnyServerConfig,
  isStreams,
  type Mux,
  type RememberedLists,
  type ServerConfig,
  type ServerManager,
  type StatusName,
  type UnusableConfig,
} from '@mcpmux/core';
import { type Clock, type Logger, messageOf, MuxError } from '@mcpmux/kit';

import { Arrivals } from './arrivals.js';
import type { ClusterHost, Place } from './places.js';
import type { Hello } from './frames.js';
import { FarServers } from './far-servers.js';
import type { Links, ServeLink } from './links.js';
import { CHOOSING, MOVES } from './placement.js';
import { Removals } from './removals.js';
import { ServedLinks } from './served-links.js';

/** A server as this node runs it. */
export interface RunnableServer extends Pick<AddOptions, 'tools'> {
  readonly config: ServerConfig | UnusableConfig;
}

/** The dependencies of {@link ClusterServers}. */
export interface ClusterServersParts {
  readonly mux: Mux;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Makes what this node runs of what the cluster knows: placeholders become the values of this node. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined;
  /** Reads the lists that a server of this spec had last; undefined where nobody knows. */
  readonly catalogs: { read(server: string, spec: unknown): Promise<RememberedLists | undefined> };
  /** Removes a server from the cluster. @throws ClusterError */
  readonly unpublish: (server: string) => Promise<void>;
}

/** The variable in which a program gets the epoch of its node's ownership: storage can refuse the writes of older epochs. */
export const EPOCH_VARIABLE = 'MCPMUX_EPOCH';

/** An entry of the mux under the name of a server: a run of this node, or a link to another one, for a spec. */
type Registered = { readonly kind: 'own' } | { readonly kind: 'far'; readonly spec: unknown };

/** The servers of a cluster in the mux of one node: its own as programs, those of other nodes at the end of links. */
export class ClusterServers implements ClusterHost {
  /** The entries of the mux for the cluster, by the names of the servers. */
  private readonly registered = new Map<string, Registered>();
  private readonly places = new Map<string, Place>();
  /** The starts of the servers of this node. */
  private readonly started = new Map<string, Promise<unknown>>();
  /** The last work for the place of each server: a server that is placed here is registered afterwards. */
  private readonly placing = new Map<string, Promise<void>>();

  private readonly served: ServedLinks;
  /** Servers that this node connects to anew, because they are on another node than before. */
  private readonly moving = new Set<string>();
  private readonly far: FarServers;
  private readonly removals: Removals;
  private readonly arrivals: Arrivals;
  /** The statuses of the entries of the mux for all clients. */
  private readonly statuses = new Map<string, StatusName>();
  /** Servers whose lists are read before they are registered again. */
  private readonly reading = new Set<string>();

  constructor(private readonly parts: ClusterServersParts) {
    this.removals = new Removals(parts.mux);
    this.far = new FarServers({ places: this.places, links: parts.links });
    const startOf = (server: string): Promise<void> => this.startOf(server);
    this.served = new ServedLinks({ mux: parts.mux, places: this.places, startOf });
    this.followStatuses();
    this.arrivals = new Arrivals({ ...parts, isOnItsWay: (server) => this.isOnItsWay(server) });
  }

  place(server: string, place: Place): Promise<void> {
    const placed = this.follow(server, place);
    this.placing.set(server, placed);
    if (place.kind === 'gone') this.placing.delete(server);
    return placed;
  }

  private async follow(server: string, place: Place): Promise<void> {
    const last = this.places.get(server);
    this.places.set(server, place);
    // Links that come while this node prepares the next run belong to that run.
    this.served.end(server);
    // It may have lost the server because it is gone. Clients may wait for answers of this and of other servers there.
    if (last?.kind === 'there' && !isThere(place, last.node)) this.parts.links()?.doubt(last.node);
    if (place.kind === 'gone') {
      this.places.delete(server);
      this.far.forget(server);
      this.arrivals.gone(server);
      return this.remove(server, place.isLeft === true);
    }
    const { spec } = place.record;
    const before = this.registered.get(server);
    // Clients keep the tools of a server while it moves, and get them from the cluster on a node that joins.
    const running = before && this.parts.mux.remember(server);
    const remembered = running ?? (await this.readLists(server, spec));
    // The server has moved meanwhile.
    if (this.places.get(server) !== place) return;
    const options = remembered && { remembered };
    if (place.kind === 'here') return this.run(server, place, options);
    const isKnown = before?.kind === 'far' && isDeepStrictEqual(before.spec, spec);
    await (isKnown ? this.connectAnew(server) : this.lead(server, spec, options));
    await this.removals.of(server);
  }

  private async readLists(server: string, spec: unknown): Promise<RememberedLists | undefined> {
    this.reading.add(server);
    try {
      return await this.parts.catalogs.read(server, spec);
    } finally {
      this.reading.delete(server);
    }
  }

  hasten(): void {
    this.removals.hasten();
  }

  /** The specs of the servers that this node runs. */
  get own(): ReadonlyMap<string, unknown> {
    const own = [...this.places].flatMap(([server, place]) =>
      place.kind === 'here' ? [[server, place.record.spec] as const] : [],
    );
    return new Map(own);
  }

  /** A server of this mux becomes one of the cluster, which may run it elsewhere. */
  adopt(server: string): void {
    if (!this.registered.has(server)) this.registered.set(server, { kind: 'own' });
  }

  /** Serves links of other nodes to the servers of this one; undefined for a link that is for something else. */
  serve(hello: Hello): ReturnType<ServeLink> | undefined {
    return this.served.serve(hello);
  }

  /** The start of a server of this node. A server that did not start at first may run by now. */
  private async startOf(server: string): Promise<void> {
    await this.placing.get(server);
    if (!this.isUp(server)) await this.started.get(server);
  }

  /** Runs a server here, in place of what was registered under its name. */
  private run(
    server: string,
    { record, epoch }: Extract<Place, { kind: 'here' }>,
    options: AddOptions = {},
  ): Promise<void> {
    const { config, tools } = this.parts.runnable(server, record.spec);
    const stopped = this.remove(server, true);
    this.registered.set(server, { kind: 'own' });
    // The epoch is in the environment of the program: the next run is no other program because of it.
    this.add(server, withEpoch(config, epoch), {
      ...options,
      pinnedAs: config,
      ...(tools !== undefined && { tools }),
    });
    return stopped;
  }

  /** Leads to the node that runs the server, in place of what was registered. Resolves when nothing of a run is left here. */
  private lead(server: string, spec: unknown, options: AddOptions = {}): Promise<void> {
    const stopped = this.remove(server, true);
    this.registered.set(server, { kind: 'far', spec });
    const runnable = this.parts.runnable(server, spec);
    const exposure = runnable.tools?.exposure;
    // The node that runs the server has applied the other settings of its tools.
    const tools = exposure && { exposure, shown: () => undefined };
    this.add(server, this.far.config(server, runnable.config.callTimeoutMs), {
      ...options,
      // As if this node ran it: a server that moves here is the same one.
      pinnedAs: runnable.config,
      ...(tools !== undefined && { tools }),
    });
    return stopped;
  }

  /** The link is to a node that no longer runs the server, or there is none. */
  private async connectAnew(server: string): Promise<void> {
    if (this.places.get(server)?.kind !== 'there') return;
    this.moving.add(server);
    await this.parts.mux.reloadServer(server).catch(() => undefined);
    this.moving.delete(server);
  }

  private async remove(server: string, isMoved: boolean): Promise<void> {
    if (!this.registered.delete(server)) return this.removals.of(server);
    this.started.delete(server);
    await this.removals.begin(server, isMoved);
  }

  /** Nobody else may remove the run: this node says that the server is free when its own removal is over. */
  private async unpublish(server: string): Promise<void> {
    await this.parts.unpublish(server);
    this.served.end(server);
    await this.remove(server, false);
  }

  private add(server: string, config: AnyServerConfig, options: AddOptions): void {
    const { mux, logger } = this.parts;
    const manager = this.managerOf(server);
    const started = mux.addServer(server, config, { ...options, manager, keepsFailed: true });
    this.started.set(server, started);
    started.catch((error: unknown) => {
      const [problem] = messageOf(error).split('\n', 1);
      const isKnown = isStreams(config) || error instanceof MuxError;
      logger.log(isKnown ? 'debug' : 'error', 'a server of the cluster did not start', { server, problem });
    });
  }

  /** Resolves when a server that moves runs on another node, or will not soon. */
  async arrived(server: string): Promise<void> {
    await this.arrivals.of(server);
  }

  /** Keeps the statuses by the events of the mux: its list of all servers is long, and each waiting request looks at one. */
  private followStatuses(): void {
    const { mux } = this.parts;
    for (const { name, status } of mux.listServers()) this.statuses.set(name, status);
    mux.on('server:state', ({ server, layer, status }) => {
      if (layer === undefined) this.statuses.set(server, status);
    });
    mux.on('server:removed', ({ server, layer }) => {
      if (layer === undefined) this.statuses.delete(server);
    });
  }

  private isUp(server: string): boolean {
    const status = this.statuses.get(server);
    return status === 'running' || status === 'idle';
  }

  /** True while requests may wait for a server: it moves to another node, or starts on the node that has it. */
  private isOnItsWay(server: string): boolean {
    const place = this.places.get(server);
    if (place === undefined) return false;
    if (this.isUp(server)) return false;
    const status = this.statuses.get(server);
    // It is about to be registered.
    if (status === undefined || this.reading.has(server)) return true;
    if (place.kind === 'nowhere') return place.reason === MOVES || place.reason === CHOOSING;
    return status === 'starting' || (place.kind === 'there' && this.far.hasLeft(server, place.epoch));
  }

  /** A client of any node removes a server from the cluster, and has the node that runs the server reload it. */
  private managerOf(server: string): ServerManager {
    return {
      // The cluster itself removes the servers that are not registered any more.
      remove: () => (this.registered.has(server) ? this.unpublish(server).catch(refused) : undefined),
      reload: async ({ approve }) => {
        const isMoving = this.moving.has(server) || this.places.get(server)?.kind === 'here';
        if (!isMoving) await this.far.reload(server, approve);
      },
      arriving: () => this.arrivals.of(server),
      logs: async (lines) => {
        const isFar = this.places.get(server)?.kind === 'there';
        return isFar ? this.far.logs(server, lines) : undefined;
      },
    };
  }
}

function isThere(place: Place, node: string): boolean {
  return place.kind === 'there' && place.node === node;
}

/** The cluster has not changed: the caller gets its reason. */
function refused(error: unknown): never {
  throw new MuxError('REFUSED', messageOf(error), { cause: error });
}

function withEpoch(config: ServerConfig | UnusableConfig, epoch: number): ServerConfig | UnusableConfig {
  if ('problem' in config || config.url !== undefined) return config;
  return { ...config, env: { ...config.env, [EPOCH_VARIABLE]: String(epoch) } };
}
