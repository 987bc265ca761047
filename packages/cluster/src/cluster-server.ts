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
import { CHOOSING_REASON, MOVING } from './placement.js';
import type { ServerLocation } from './server-locations.js';
import type { Removals } from './removals.js';
import type { ServedLinks } from './served-links.js';

/** The config of a server on this node, with its tool settings. */
export interface RunnableServer extends Pick<AddOptions, 'tools'> {
  readonly config: ServerConfig | UnusableConfig;
}

/** The services of a node that its cluster servers use. */
export interface ClusterServices {
  readonly mux: Mux;
  readonly logger: Logger;
  /** Converts a spec from the cluster to a server config for this node. Fills placeholders with this node's values. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined;
  /** Reads the last lists of a server with this spec. Resolves with undefined if they are not stored. */
  readonly catalogs: { read(server: string, spec: unknown): Promise<RememberedLists | undefined> };
  /** Removes a server from the cluster. @throws ClusterError */
  readonly unpublish: (server: string) => Promise<void>;
}

/** The objects that all cluster servers on one node share. */
export interface ClusterServerShared extends ClusterServices {
  readonly servedLinks: ServedLinks;
  readonly remoteServers: RemoteNodeServers;
  readonly removals: Removals;
  readonly startWaits: StartWaits;
  readonly statuses: EntryStatuses;
}

/** The environment variable that gives a program its epoch, so that storage can reject writes from older epochs. */
export const EPOCH_VARIABLE = 'MCPMUX_EPOCH';

/** The mux's entry for a server: absent, a run on this node, or a link to another node. */
type MuxEntry =
  | { readonly kind: 'none' }
  | { readonly kind: 'own' }
  | { readonly kind: 'far'; readonly spec: unknown };

/** The operation on the entry that is in progress. */
type EntryActivity = 'none' | 'reading lists' | 'connecting anew';

/** One server of a cluster in the mux of one node, either as a program or as a link to the node that runs it. */
export class ClusterServer {
  private currentPlace: ServerLocation | undefined;
  private entry: MuxEntry = { kind: 'none' };
  private activity: EntryActivity = 'none';
  /** Settles when the start of the entry has succeeded or failed. */
  private pendingStart: Promise<unknown> | undefined;
  /** The last move. When a move to this node has settled, the server is registered. */
  private lastMove: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly shared: ClusterServerShared,
  ) {}

  /** The location at which the cluster runs the server. Undefined until the cluster has decided. */
  get place(): ServerLocation | undefined {
    return this.currentPlace;
  }

  /** Moves the server to a location. For any location except `here`, resolves when the server no longer runs here. */
  moveTo(place: ServerLocation): Promise<void> {
    this.lastMove = this.applyPlace(place);
    return this.lastMove;
  }

  /** Converts a server of this mux to a server of the cluster, which may run it on another node. */
  adopt(): void {
    if (this.entry.kind === 'none') this.entry = { kind: 'own' };
  }

  /** Resolves when the server on this node is up, at once if it already is. Rejects if its start fails. */
  async whenStarted(): Promise<void> {
    await this.lastMove;
    if (!this.shared.statuses.isUp(this.name)) await this.pendingStart;
  }

  /** True while requests may wait for the server, because it is moving to another node or starting on its node. */
  get isOnItsWay(): boolean {
    const { statuses, remoteServers } = this.shared;
    const { currentPlace: place, name } = this;
    if (place === undefined || statuses.isUp(name)) return false;
    const status = statuses.get(name);
    // The server will be registered soon.
    if (status === undefined || this.activity === 'reading lists') return true;
    if (place.kind === 'nowhere') return place.reason === MOVING || place.reason === CHOOSING_REASON;
    return status === 'starting' || (place.kind === 'there' && remoteServers.hasLeft(name, place.epoch));
  }

  private async applyPlace(place: ServerLocation): Promise<void> {
    const { servedLinks, links, removals } = this.shared;
    const lastPlace = this.currentPlace;
    this.currentPlace = place;
    // End the sessions first, because links that arrive from now on belong to the next run.
    servedLinks.endSessions(this.name);
    // Check the links to the previous node, which may be gone while clients wait for responses from its servers.
    if (lastPlace?.kind === 'there' && !isOnNode(place, lastPlace.node)) links()?.doubt(lastPlace.node);
    if (place.kind === 'gone') return this.handleGone(place.isLeft === true);
    const { spec } = place.record;
    // If there is an entry, do not await here: its removal must begin before the node speeds up all pending removals.
    const rememberedLists = this.currentLists ?? (await this.readLists(spec));
    if (this.currentPlace !== place) return;
    const options = rememberedLists && { remembered: rememberedLists };
    if (place.kind === 'here') return this.runHere(place, options);
    const isSameLink = this.entry.kind === 'far' && isDeepStrictEqual(this.entry.spec, spec);
    await (isSameLink ? this.reconnect() : this.registerLink(spec, options));
    await removals.whenRemoved(this.name);
  }

  private handleGone(isMoved: boolean): Promise<void> {
    this.currentPlace = undefined;
    this.shared.remoteServers.forgetServer(this.name);
    this.shared.startWaits.endWaits(this.name);
    return this.removeEntry(isMoved);
  }

  /** The lists of the existing entry, so that clients keep a moving server's tools. Undefined if there is no entry. */
  private get currentLists(): RememberedLists | undefined {
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

  /** Runs the server here and replaces the existing entry. */
  private runHere(
    { record, epoch }: Extract<ServerLocation, { kind: 'here' }>,
    options: AddOptions = {},
  ): Promise<void> {
    const { config, tools } = this.shared.runnable(this.name, record.spec);
    const removal = this.removeEntry(true);
    this.entry = { kind: 'own' };
    // The pin ignores the epoch in the environment, because the next run is the same program with another epoch.
    this.addEntry(withEpoch(config, epoch), {
      ...options,
      pinnedAs: config,
      ...(tools !== undefined && { tools }),
    });
    return removal;
  }

  /** Registers a link to the node that runs the server. Resolves when all runs on this node have ended. */
  private registerLink(spec: unknown, options: AddOptions = {}): Promise<void> {
    const removal = this.removeEntry(true);
    this.entry = { kind: 'far', spec };
    const runnable = this.shared.runnable(this.name, spec);
    const exposure = runnable.tools?.exposure;
    // The node that runs the server applies all other tool settings.
    const tools = exposure && { exposure, shown: () => undefined };
    this.addEntry(this.shared.remoteServers.configFor(this.name, runnable.config.callTimeoutMs), {
      ...options,
      // Pin the tools under the configuration for a run here, because the server may move back to this node.
      pinnedAs: runnable.config,
      ...(tools !== undefined && { tools }),
    });
    return removal;
  }

  /** Opens a new link to the server if another node runs it. */
  private async reconnect(): Promise<void> {
    if (this.currentPlace?.kind !== 'there') return;
    this.activity = 'connecting anew';
    await this.shared.mux.reloadServer(this.name).catch(() => undefined);
    this.activity = 'none';
  }

  private async removeEntry(isMoved: boolean): Promise<void> {
    const { removals } = this.shared;
    if (this.entry.kind === 'none') return removals.whenRemoved(this.name);
    this.entry = { kind: 'none' };
    this.pendingStart = undefined;
    await removals.begin(this.name, isMoved);
  }

  private addEntry(config: AnyServerConfig, options: AddOptions): void {
    const { mux, logger } = this.shared;
    const { name: server, manager } = this;
    this.pendingStart = mux.addServer(server, config, { ...options, manager, keepsFailed: true });
    this.pendingStart.catch((error: unknown) => {
      const [problem] = messageOf(error).split('\n', 1);
      const isKnown = isStreams(config) || error instanceof MuxError;
      logger.log(isKnown ? 'debug' : 'error', 'a server of the cluster did not start', { server, problem });
    });
  }

  /** Removes the server from the cluster, and ends its run on this node. */
  private async unpublish(): Promise<void> {
    await this.shared.unpublish(this.name).catch(rethrowRefusal);
    this.shared.servedLinks.endSessions(this.name);
    await this.removeEntry(false);
  }

  /** Allows clients of any node to remove the server from the cluster, or to reload it on the node that runs it. */
  private get manager(): ExternalControl {
    const { remoteServers, startWaits } = this.shared;
    return {
      // If the entry is absent, the cluster itself is removing the server.
      remove: () => (this.entry.kind === 'none' ? undefined : this.unpublish()),
      reload: async ({ approve }) => {
        const isHandledHere = this.activity === 'connecting anew' || this.currentPlace?.kind === 'here';
        if (!isHandledHere) await remoteServers.reload(this.name, approve);
      },
      arriving: () => startWaits.whenArrived(this.name),
      logs: async (lines) =>
        this.currentPlace?.kind === 'there' ? remoteServers.readLogs(this.name, lines) : undefined,
    };
  }
}

function isOnNode(place: ServerLocation, node: string): boolean {
  return place.kind === 'there' && place.node === node;
}

/** Throws a REFUSED error with the reason why the cluster was not changed. */
function rethrowRefusal(error: unknown): never {
  throw new MuxError('REFUSED', messageOf(error), { cause: error });
}

function withEpoch(config: ServerConfig | UnusableConfig, epoch: number): ServerConfig | UnusableConfig {
  if ('problem' in config || config.url !== undefined) return config;
  return { ...config, env: { ...config.env, [EPOCH_VARIABLE]: String(epoch) } };
}
