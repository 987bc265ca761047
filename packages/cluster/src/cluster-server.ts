import { isDeepStrictEqual } from 'node:util';

import {
  type AddOptions,
  type AnyServerConfig,
  isStreams,
  type Mux,
  type RememberedLists,
  type ServerConfig,
  type ExternalControl,
  type UnusableConfig,
} from '@mcpmux/core';
import { type Logger, messageOf, MuxError } from '@mcpmux/kit';

import type { StartWaits } from './start-waits.js';
import type { EntryStatuses } from './entry-statuses.js';
import type { RemoteNodeServers } from './remote-node-servers.js';
import type { Links } from './links.js';
import { CHOOSING, MOVES } from './placement.js';
import type { ServerLocation } from './server-locations.js';
import type { Removals } from './removals.js';
import type { ServedLinks } from './served-links.js';

/** A server as this node runs it. */
export interface RunnableServer extends Pick<AddOptions, 'tools'> {
  readonly config: ServerConfig | UnusableConfig;
}

/** The services of a node for the servers of the cluster. */
export interface ClusterServices {
  readonly mux: Mux;
  readonly logger: Logger;
  /** Makes what this node runs of what the cluster knows: placeholders become the values of this node. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined;
  /** Reads the lists that a server of this spec had last; undefined where nobody knows. */
  readonly catalogs: { read(server: string, spec: unknown): Promise<RememberedLists | undefined> };
  /** Removes a server from the cluster. @throws ClusterError */
  readonly unpublish: (server: string) => Promise<void>;
}

/** The objects that all servers of the cluster on one node share. */
export interface ClusterServerShared extends ClusterServices {
  readonly served: ServedLinks;
  readonly remote: RemoteNodeServers;
  readonly removals: Removals;
  readonly startWaits: StartWaits;
  readonly statuses: EntryStatuses;
}

/** The variable in which a program gets the epoch of its node's ownership: storage can refuse the writes of older epochs. */
export const EPOCH_VARIABLE = 'MCPMUX_EPOCH';

/** The entry of the mux under the name of a server: a run of this node, or a link to another node for a spec. */
type Entry =
  | { readonly kind: 'none' }
  | { readonly kind: 'own' }
  | { readonly kind: 'far'; readonly spec: unknown };

/** The work for the entry that is under way. */
type Activity = 'none' | 'reading lists' | 'connecting anew';

/** One server of a cluster in the mux of one node: a program of this node, or a link to the node that runs it. */
export class ClusterServer {
  private current: ServerLocation | undefined;
  private entry: Entry = { kind: 'none' };
  private activity: Activity = 'none';
  /** The start of the entry. */
  private started: Promise<unknown> | undefined;
  /** The last work for the place: a server that is placed here is registered afterwards. */
  private placed: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly shared: ClusterServerShared,
  ) {}

  /** Where the cluster runs the server; undefined before the cluster has said so. */
  get place(): ServerLocation | undefined {
    return this.current;
  }

  /** Puts the server at a place. Resolves when nothing of it runs here any more, if the place is not `here`. */
  moveTo(place: ServerLocation): Promise<void> {
    this.placed = this.follow(place);
    return this.placed;
  }

  /** A server of this mux becomes one of the cluster, which may run it elsewhere. */
  adopt(): void {
    if (this.entry.kind === 'none') this.entry = { kind: 'own' };
  }

  /** Resolves when the server of this node has started, which it may have done after a failure. */
  async whenStarted(): Promise<void> {
    await this.placed;
    if (!this.shared.statuses.isUp(this.name)) await this.started;
  }

  /** True while requests may wait for the server: it moves to another node, or starts on the node that has it. */
  get isOnItsWay(): boolean {
    const { statuses, remote } = this.shared;
    const { current: place, name } = this;
    if (place === undefined || statuses.isUp(name)) return false;
    const status = statuses.of(name);
    // It is about to be registered.
    if (status === undefined || this.activity === 'reading lists') return true;
    if (place.kind === 'nowhere') return place.reason === MOVES || place.reason === CHOOSING;
    return status === 'starting' || (place.kind === 'there' && remote.hasLeft(name, place.epoch));
  }

  private async follow(place: ServerLocation): Promise<void> {
    const { served, links, removals } = this.shared;
    const last = this.current;
    this.current = place;
    // Links that come while this node prepares the next run belong to that run.
    served.end(this.name);
    // The last node may be gone. Clients may wait for answers of this and of other servers there.
    if (last?.kind === 'there' && !isThere(place, last.node)) links()?.doubt(last.node);
    if (place.kind === 'gone') return this.leave(place.isLeft === true);
    const { spec } = place.record;
    // Without an await where a run is here: its removal begins before the node hastens the removals.
    const remembered = this.ownLists ?? (await this.readLists(spec));
    // The server has moved meanwhile.
    if (this.current !== place) return;
    const options = remembered && { remembered };
    if (place.kind === 'here') return this.run(place, options);
    const isKnown = this.entry.kind === 'far' && isDeepStrictEqual(this.entry.spec, spec);
    await (isKnown ? this.connectAnew() : this.lead(spec, options));
    await removals.of(this.name);
  }

  private leave(isMoved: boolean): Promise<void> {
    this.current = undefined;
    this.shared.remote.forget(this.name);
    this.shared.startWaits.gone(this.name);
    return this.remove(isMoved);
  }

  /** Clients keep the tools of a server while it moves, and get them from the cluster on a node that joins. */
  private get ownLists(): RememberedLists | undefined {
    return this.entry.kind === 'none' ? undefined : this.shared.mux.remember(this.name);
  }

  private async readLists(spec: unknown): Promise<RememberedLists | undefined> {
    this.activity = 'reading lists';
    try {
      return await this.shared.catalogs.read(this.name, spec);
    } finally {
      this.activity = 'none';
    }
  }

  /** Runs the server here, in place of the entry that was there. */
  private run(
    { record, epoch }: Extract<ServerLocation, { kind: 'here' }>,
    options: AddOptions = {},
  ): Promise<void> {
    const { config, tools } = this.shared.runnable(this.name, record.spec);
    const stopped = this.remove(true);
    this.entry = { kind: 'own' };
    // The epoch is in the environment of the program: the next run is no other program because of it.
    this.add(withEpoch(config, epoch), {
      ...options,
      pinnedAs: config,
      ...(tools !== undefined && { tools }),
    });
    return stopped;
  }

  /** Leads to the node that runs the server. Resolves when nothing of a run is left here. */
  private lead(spec: unknown, options: AddOptions = {}): Promise<void> {
    const stopped = this.remove(true);
    this.entry = { kind: 'far', spec };
    const runnable = this.shared.runnable(this.name, spec);
    const exposure = runnable.tools?.exposure;
    // The node that runs the server has applied the other settings of its tools.
    const tools = exposure && { exposure, shown: () => undefined };
    this.add(this.shared.remote.config(this.name, runnable.config.callTimeoutMs), {
      ...options,
      // As if this node ran it: a server that moves here is the same one.
      pinnedAs: runnable.config,
      ...(tools !== undefined && { tools }),
    });
    return stopped;
  }

  /** The link is to a node that no longer runs the server, or there is none. */
  private async connectAnew(): Promise<void> {
    if (this.current?.kind !== 'there') return;
    this.activity = 'connecting anew';
    await this.shared.mux.reloadServer(this.name).catch(() => undefined);
    this.activity = 'none';
  }

  private async remove(isMoved: boolean): Promise<void> {
    const { removals } = this.shared;
    if (this.entry.kind === 'none') return removals.of(this.name);
    this.entry = { kind: 'none' };
    this.started = undefined;
    await removals.begin(this.name, isMoved);
  }

  private add(config: AnyServerConfig, options: AddOptions): void {
    const { mux, logger } = this.shared;
    const { name: server, manager } = this;
    this.started = mux.addServer(server, config, { ...options, manager, keepsFailed: true });
    this.started.catch((error: unknown) => {
      const [problem] = messageOf(error).split('\n', 1);
      const isKnown = isStreams(config) || error instanceof MuxError;
      logger.log(isKnown ? 'debug' : 'error', 'a server of the cluster did not start', { server, problem });
    });
  }

  /** Nobody else may remove the run: this node says that the server is free when its own removal is over. */
  private async unpublish(): Promise<void> {
    await this.shared.unpublish(this.name).catch(refused);
    this.shared.served.end(this.name);
    await this.remove(false);
  }

  /** A client of any node removes a server from the cluster, and has the node that runs the server reload it. */
  private get manager(): ExternalControl {
    const { remote, startWaits } = this.shared;
    return {
      // The cluster itself removes the servers that are not registered any more.
      remove: () => (this.entry.kind === 'none' ? undefined : this.unpublish()),
      reload: async ({ approve }) => {
        const isOwn = this.activity === 'connecting anew' || this.current?.kind === 'here';
        if (!isOwn) await remote.reload(this.name, approve);
      },
      arriving: () => startWaits.of(this.name),
      logs: async (lines) => (this.current?.kind === 'there' ? remote.logs(this.name, lines) : undefined),
    };
  }
}

function isThere(place: ServerLocation, node: string): boolean {
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
