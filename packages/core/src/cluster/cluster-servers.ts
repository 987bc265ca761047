import type { Duplex } from 'node:stream';

import { MuxError, messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import { HOST } from '../guards/principal.js';
import type { AddOptions } from '../mux/add-options.js';
import type { Mux } from '../mux/mux-api.js';
import {
  isStreams,
  type AnyServerConfig,
  type ServerConfig,
  type StreamConfig,
  type UnusableConfig,
} from '../upstream/config/server-config.js';
import type { ClusterHost, Place } from './cluster-node.js';
import { ClusterError } from './cluster.js';
import type { Hello } from './frames.js';
import type { Links, ServeLink } from './links.js';

/** A server as this node runs it. */
export interface RunnableServer extends Pick<AddOptions, 'tools'> {
  readonly config: ServerConfig | UnusableConfig;
}

/** The dependencies of {@link ClusterServers}. */
export interface ClusterServersParts {
  readonly mux: Mux;
  readonly logger: Logger;
  /** Makes what this node runs of what the cluster knows: placeholders become the values of this node. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  readonly links: () => Pick<Links, 'open'> | undefined;
}

/** The variable in which a program gets the epoch of its node's ownership: storage can refuse the writes of older epochs. */
export const EPOCH_VARIABLE = 'MCPMUX_EPOCH';

const MAX_TRIES = 10;
const TRY_AGAIN_MS = 50;

const ADVICE =
  'The cluster starts it on another node when its node is gone. Try again in a moment, or call list_servers.';

/** The servers of a cluster in the mux of one node: its own as programs, those of other nodes at the end of links. */
export class ClusterServers implements ClusterHost {
  /** What the mux has registered for the cluster. */
  private readonly registered = new Map<string, 'own' | 'far'>();
  private readonly places = new Map<string, Place>();
  /** The starts of the servers of this node. */
  private readonly started = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: ClusterServersParts) {}

  async place(server: string, place: Place): Promise<void> {
    this.places.set(server, place);
    if (place.kind === 'gone') {
      this.places.delete(server);
      return this.remove(server);
    }
    if (place.kind === 'here') return this.run(server, place);
    const stopped = this.registered.get(server) === 'own' ? this.replaceOwn(server) : undefined;
    if (stopped === undefined) await this.reach(server);
    await stopped;
  }

  /** A server of this mux becomes one of the cluster, which may run it elsewhere. */
  adopt(server: string): void {
    if (!this.registered.has(server)) this.registered.set(server, 'own');
  }

  /** Serves links of other nodes to the servers of this one; undefined for a link that is for something else. */
  serve(hello: Hello): ReturnType<ServeLink> | undefined {
    const { server, epoch } = hello;
    if (typeof server !== 'string') return undefined;
    const place = this.places.get(server);
    if (place?.kind !== 'here') return `this node does not run server ${JSON.stringify(server)}`;
    if (place.epoch !== epoch) return `server ${JSON.stringify(server)} has moved meanwhile`;
    return (link) => this.connect(server, link);
  }

  /** The other node gets the lists of the server once it has started, or the reason why it has not. */
  private connect(server: string, link: Duplex): void {
    const started = this.started.get(server) ?? Promise.resolve();
    this.parts.mux.connect(
      { input: link, output: link },
      { principal: HOST, server, heldUntil: started.catch(() => undefined) },
    );
    started.catch((error: unknown) => link.destroy(new ClusterError('REFUSED', messageOf(error))));
  }

  /** Runs a server here, in place of what was registered under its name. */
  private run(server: string, { record, epoch }: Extract<Place, { kind: 'here' }>): Promise<void> {
    const { config, tools } = this.parts.runnable(server, record.spec);
    const options = this.optionsFor(server);
    void this.remove(server);
    this.registered.set(server, 'own');
    this.add(server, withEpoch(config, epoch), { ...options, ...(tools !== undefined && { tools }) });
    return Promise.resolve();
  }

  /** Ends the run of this node, and leads to the next one. Resolves when nothing of the run is left. */
  private replaceOwn(server: string): Promise<void> {
    const options = this.optionsFor(server);
    const stopped = this.remove(server);
    this.registered.set(server, 'far');
    this.add(server, this.farConfig(server), options);
    return stopped;
  }

  private async reach(server: string): Promise<void> {
    const { mux } = this.parts;
    if (this.registered.get(server) !== 'far') {
      this.registered.set(server, 'far');
      return this.add(server, this.farConfig(server), {});
    }
    const isReached = this.places.get(server)?.kind === 'there';
    // The link is to a node that no longer runs the server, or there is none.
    if (isReached) await mux.reloadServer(server).catch(() => undefined);
  }

  private async remove(server: string): Promise<void> {
    if (!this.registered.delete(server)) return;
    this.started.delete(server);
    try {
      await this.parts.mux.removeServer(server);
    } catch (error) {
      // An agent has removed it already.
      if (!(error instanceof MuxError) || error.code !== 'SERVER_NOT_FOUND') throw error;
    }
  }

  private add(server: string, config: AnyServerConfig, options: AddOptions): void {
    const { mux, logger } = this.parts;
    const started = mux.addServer(server, config, { ...options, keepsFailed: true });
    this.started.set(server, started);
    started.catch((error: unknown) => {
      const [problem] = messageOf(error).split('\n', 1);
      const isKnown = isStreams(config) || error instanceof MuxError;
      logger.log(isKnown ? 'debug' : 'error', 'a server of the cluster did not start', { server, problem });
    });
  }

  /** Clients keep the tools of a server while it moves. */
  private optionsFor(server: string): AddOptions {
    const remembered = this.registered.has(server) ? this.parts.mux.remember(server) : undefined;
    return remembered === undefined ? {} : { remembered };
  }

  private farConfig(server: string): StreamConfig {
    return {
      address: `cluster:${server}`,
      open: () => this.open(server),
      isNamed: true,
      tellsPrincipal: true,
      advice: ADVICE,
      // Each request describes its client, and a question of the server comes back with that very request.
      protocol: 'modern',
      restart: 'always',
    };
  }

  /** The owner may learn a moment after this node that it is the owner. */
  private async open(server: string): Promise<{ input: Duplex; output: Duplex }> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.openOnce(server);
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (error.code !== 'REFUSED' || tries >= MAX_TRIES)
          // Whoever shows the reason ends the sentence.
          throw new ClusterError(error.code, error.message.replace(/\.$/, ''), { cause: error });
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      }
    }
  }

  private async openOnce(server: string): Promise<{ input: Duplex; output: Duplex }> {
    const place = this.places.get(server);
    if (place?.kind !== 'there') throw new ClusterError('NOBODY', `no node runs it: ${reasonOf(place)}`);
    const { node, name, epoch } = place;
    const link = await this.parts.links()?.open(node, { server, epoch });
    if (link === undefined) throw new ClusterError('CLOSED', `this node has left the cluster of ${name}`);
    return { input: link, output: link };
  }
}

function reasonOf(place: Place | undefined): string {
  return place?.kind === 'nowhere' ? place.reason : 'the cluster does not have it';
}

function withEpoch(config: ServerConfig | UnusableConfig, epoch: number): ServerConfig | UnusableConfig {
  if ('problem' in config || config.url !== undefined) return config;
  return { ...config, env: { ...config.env, [EPOCH_VARIABLE]: String(epoch) } };
}
