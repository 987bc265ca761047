import type { Duplex } from 'node:stream';

import type { FrontPeers, HttpFront, HttpFrontOptions } from '@mcpmux/http';
import { messageOf, type Logger, type LoginStore, type Mux } from '@mcpmux/core';
import {
  ClusterMember,
  type Cluster,
  type LinkRequest,
  type LoginKeys,
  type ServeLink,
} from '@mcpmux/cluster';
import type { ClusterView } from '@mcpmux/dashboard';

import { VERSION } from '../base/version.js';
import type { ConfigFound } from '@mcpmux/config/find';
import type { LoadedServer } from '@mcpmux/config';
import { thisProcess } from '../config/this-process.js';
import { clusterMetrics } from './cluster-figures.js';
import { loadOrCreateClusterKey } from './cluster-key.js';
import { clusterView } from './cluster-view.js';
import type { ClusterOptions } from './cluster-options.js';
import { connectToFront } from './front-of.js';
import { requireMinVersion } from './least-version.js';
import { PublishedServers } from './published-servers.js';
import { ServedLogins } from './served-logins.js';
import { SessionIds } from './session-ids.js';
import { runnableServerOf } from './shared-entries.js';
import { retryUntilAvailable } from './when-available.js';

/** The part of the HTTP front that accepts connections forwarded by other nodes. */
type Front = Pick<HttpFront, 'accept'>;

const CREDENTIALS_REFUSED =
  'NATS refuses the credentials of this node, which goes on alone and tries again: renew its file of credentials, or ' +
  'start the node with others';

/** The cluster membership of one `mcpmux serve --http`. */
export class ServedCluster {
  private front: Front | undefined;
  /** This node's log. Undefined until the node begins to join. */
  private logger: Logger | undefined;
  /** This node as a cluster member. Undefined until it begins to join. */
  member: ClusterMember | undefined;
  private publishedServers: PublishedServers | undefined;
  private closing: Promise<void> | undefined;
  private resolveJoining: () => void = () => undefined;
  private joining: Promise<void> | undefined = new Promise((resolve) => (this.resolveJoining = resolve));
  private readonly sessionIds: SessionIds;

  private constructor(
    private readonly cluster: Cluster,
    private readonly options: ClusterOptions,
    /** The secret that all nodes of the cluster share. */
    readonly key: Uint8Array,
    private readonly sharedLogins: ServedLogins,
  ) {
    this.sessionIds = new SessionIds(key);
  }

  /** Connects to the cluster without joining it yet. @throws ClusterError */
  static async connect(options: ClusterOptions, keys?: LoginKeys): Promise<ServedCluster> {
    const { connectNats } = await import('@mcpmux/cluster-nats');
    let served: ServedCluster | undefined;
    const onRefused = (problem: string): void =>
      served?.logger?.log('error', CREDENTIALS_REFUSED, { problem });
    const cluster = await connectNats({ ...options.nats, onRefused });
    try {
      const [key, logins] = await retryUntilAvailable(async () => {
        await requireMinVersion(cluster, VERSION);
        return [await loadOrCreateClusterKey(cluster), await ServedLogins.open(cluster, keys)] as const;
      });
      served = new ServedCluster(cluster, options, key, logins);
      return served;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** The logins that the nodes share. Undefined without an encryption key. */
  get logins(): LoginStore | undefined {
    return this.sharedLogins.store;
  }

  /** The HTTP front's cluster-dependent options. */
  get frontOptions(): Pick<HttpFrontOptions, 'peers' | 'figures'> {
    return { peers: this.peers, figures: () => clusterMetrics(this.cluster, this.member) };
  }

  /** The cluster data that the web page displays. */
  get view(): ClusterView {
    const isConnected = (): boolean => this.cluster.isConnected;
    return clusterView(this.options.id, isConnected, () => this.member);
  }

  /**
   * Sets the front that serves connections forwarded by other nodes. Pass undefined before the front's sessions end, so
   * that this node refuses further connections.
   */
  setFront(front: Front | undefined): void {
    this.front = front;
  }

  /**
   * Joins the cluster with a mux. {@link publish} later adds the config's servers.
   *
   * @returns false if this node cannot join; the log contains the reason
   */
  async join(mux: Mux, logger: Logger, found: ConfigFound): Promise<boolean> {
    const location =
      found.kind === 'found'
        ? found.location
        : { file: 'mcpmux-cluster.json', origin: 'user' as const, folder: process.cwd() };
    const { id, name, labels, capacity } = this.options;
    const member = new ClusterMember({
      id,
      name,
      labels,
      capacity,
      cluster: this.cluster,
      mux,
      logger,
      version: VERSION,
      runnable: (server, spec) => {
        const runnable = runnableServerOf(server, spec, location, thisProcess());
        this.sharedLogins.recordServer(server, runnable);
        return runnable;
      },
      serve: (hello) => this.serveLink(hello),
    });
    this.member = member;
    this.logger = logger;
    this.sharedLogins.setMux({ mux, logger });
    try {
      await member.start();
    } catch (error) {
      const problem = messageOf(error);
      logger.log('error', 'this node cannot join the cluster: mcpmux ends', { problem });
      return false;
    }
    this.resolveJoining();
    this.joining = undefined;
    if (found.kind === 'found')
      this.publishedServers = new PublishedServers(member, logger, found.location.file);
    logger.log('info', 'joined the cluster', { node: id, servers: member.node.directory.servers.size });
    return true;
  }

  /** Returns the config's servers that are not shared with the cluster, so that this node must run them itself. */
  localServers = (servers: readonly LoadedServer[]): readonly LoadedServer[] =>
    this.publishedServers?.localServers(servers) ?? servers;

  /** Publishes the shared servers of a config to the cluster. @see PublishedServers.publish */
  publish = (servers: readonly LoadedServer[], only?: string): void =>
    this.publishedServers?.publish(servers, only);

  /** Resolves to the reasons why the latest config could not be published, one line each. */
  async publicationProblems(): Promise<readonly string[]> {
    return (await this.publishedServers?.problemsOfLastChange()) ?? [];
  }

  /** Leaves the cluster and logs any errors. Can be called more than once. */
  close(): Promise<void> {
    this.closing ??= this.leave();
    return this.closing;
  }

  /** Creates session ids for the HTTP front, and connects it to the fronts of other nodes. */
  private get peers(): FrontPeers {
    const { id: ownId } = this.options;
    return {
      joining: () => this.joining,
      newSessionId: () => this.sessionIds.create(ownId),
      connect: (sessionId) => {
        const node = this.sessionIds.nodeOf(sessionId);
        return node === undefined || node === ownId ? undefined : this.openFront(node);
      },
    };
  }

  private openFront(node: string): Promise<Duplex | 'gone'> | undefined {
    const { member } = this;
    return (
      member &&
      connectToFront(
        () => member.open(node, { front: true }),
        () => member.node.isGone(node),
      )
    );
  }

  /** Never rejects, because a node that is shutting down must stop its servers even if the cluster fails. */
  private async leave(): Promise<void> {
    for (const close of [() => this.member?.close(), () => this.cluster.close()]) {
      try {
        await close();
      } catch (error) {
        const problem = messageOf(error);
        this.logger?.log('warn', 'this node has left the cluster without saying so', { problem });
      }
    }
  }

  private serveLink(request: LinkRequest): ReturnType<ServeLink> {
    const { front, member } = this;
    if (request['front'] === true)
      return front === undefined ? 'this node serves no HTTP now' : (link) => front.accept(link);
    const loginHandler = this.sharedLogins.linkHandler(request);
    if (loginHandler !== undefined) return loginHandler;
    if (request['command'] !== 'drain' || member === undefined) return 'this node serves no such link';
    return (link) => {
      void member.drain().then(
        () => link.end('{}\n'),
        (error: unknown) => link.destroy(error instanceof Error ? error : undefined),
      );
    };
  }
}
