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

/** A server config for this node, with the server's tool settings. */
export interface RunnableServer extends Pick<AddOptions, 'tools'> {
  readonly config: ServerConfig | UnusableConfig;
}

/** The services that a node provides to its cluster servers. */
export interface ClusterServices {
  readonly mux: Mux;
  readonly logger: Logger;
  /** Converts a spec from the cluster to a server config for this node. Fills placeholders with this node's values. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined;
  /** Reads the stored lists of a server. Resolves with undefined if no lists are stored for this spec. */
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

/** The environment variable that passes a server its epoch, so that storage can reject writes from older epochs. */
export const EPOCH_VARIABLE = 'MCPMUX_EPOCH';

/** The mux's entry for a server: absent, a run on this node, or a link to another node. */
type MuxEntry =
  | { readonly kind: 'none' }
  | { readonly kind: 'own' }
  | { readonly kind: 'far'; readonly spec: unknown };

type EntryActivity = 'none' | 'reading lists' | 'connecting anew';

/** One cluster server in one node's mux: either a program on this node or a link to the node that runs it. */
export class ClusterServer {
  private currentPlace: ServerLocation | undefined;
  private entry: MuxEntry = { kind: 'none' };
  private activity: EntryActivity = 'none';
  private pendingStart: Promise<unknown> | undefined;
  /** The last move. Until it has settled, `pendingStart` may be missing or belong to the previous entry. */
  private lastMove: Promise<void> | undefined;

  constructor(
    private readonly name: string,
    private readonly shared: ClusterServerShared,
  ) {}

  /** The server's location. Undefined before the cluster has chosen one and after the server has been removed. */
  get place(): ServerLocation | undefined {
    return this.currentPlace;
  }

  /** Moves the server to a location. Resolves when its earlier runs on this node have ended. */
  moveTo(place: ServerLocation): Promise<void> {
    this.lastMove = this.applyPlace(place);
    return this.lastMove;
  }

  /** Turns an existing server of this mux into a cluster server, which may move to another node. */
  adopt(): void {
    if (this.entry.kind === 'none') this.entry = { kind: 'own' };
  }

  /** Resolves when the server has started on this node. Rejects if its start fails. */
  async whenStarted(): Promise<void> {
    await this.lastMove;
    if (!this.shared.statuses.isUp(this.name)) await this.pendingStart;
  }

  /** True while the server is moving or starting, so that requests wait for it. */
  get isOnItsWay(): boolean {
    const { statuses, remoteServers } = this.shared;
    const { currentPlace: place, name } = this;
    if (place === undefined || statuses.isUp(name)) return false;
    const status = statuses.get(name);
    // A missing entry is about to be added.
    if (status === undefined || this.activity === 'reading lists') return true;
    if (place.kind === 'nowhere') return place.reason === MOVING || place.reason === CHOOSING_REASON;
    return status === 'starting' || (place.kind === 'there' && remoteServers.hasLeft(name, place.epoch));
  }

  private async applyPlace(place: ServerLocation): Promise<void> {
    const { servedLinks, links, removals } = this.shared;
    const lastPlace = this.currentPlace;
    this.currentPlace = place;
    // End the previous run's sessions first, because links that arrive later belong to the next run.
    servedLinks.endSessions(this.name);
    // The previous node may be gone while clients still wait for its responses, so check the links to it.
    if (lastPlace?.kind === 'there' && !isOnNode(place, lastPlace.node)) links()?.doubt(lastPlace.node);
    if (place.kind === 'gone') return this.handleGone(place.isLeft === true);
    const { spec } = place.record;
    // Do not await if an entry exists, because `hasten` speeds up only removals that have already begun.
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

  /** The current entry's lists, which clients use while the server moves. Undefined if there is no entry. */
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

  /** Replaces the existing entry with a run on this node. Resolves when earlier runs on this node have ended. */
  private runHere(
    { record, epoch }: Extract<ServerLocation, { kind: 'here' }>,
    options: AddOptions = {},
  ): Promise<void> {
    const { config, tools } = this.shared.runnable(this.name, record.spec);
    const removal = this.removeEntry(true);
    this.entry = { kind: 'own' };
    // Pin the tools under the config without the epoch, so that the pins stay valid when the epoch changes.
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
    // Only the exposure applies here. The node that runs the server applies all other tool settings.
    const tools = exposure && { exposure, shown: () => undefined };
    this.addEntry(this.shared.remoteServers.configFor(this.name, runnable.config.callTimeoutMs), {
      ...options,
      // Pin the tools under the config of a local run, so that the pins stay valid if the server moves here.
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

  /** Removes the server from the cluster and ends its run on this node. */
  private async unpublish(): Promise<void> {
    await this.shared.unpublish(this.name).catch(rethrowRefusal);
    this.shared.servedLinks.endSessions(this.name);
    await this.removeEntry(false);
  }

  /** Forwards removals to the cluster, and reloads and log requests to the node that runs the server. */
  private get manager(): ExternalControl {
    const { remoteServers, startWaits } = this.shared;
    return {
      // If there is no entry, the cluster itself has started this removal.
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

/** Rethrows a cluster error as a REFUSED error with the same message. */
function rethrowRefusal(error: unknown): never {
  throw new MuxError('REFUSED', messageOf(error), { cause: error });
}

function withEpoch(config: ServerConfig | UnusableConfig, epoch: number): ServerConfig | UnusableConfig {
  if ('problem' in config || config.url !== undefined) return config;
  return { ...config, env: { ...config.env, [EPOCH_VARIABLE]: String(epoch) } };
}
