import { isDeepStrictEqual } from 'node:util';

import type { Mux } from '@mcpmux/core';
import { type Kit, nullLogger, systemClock } from '@mcpmux/kit';

import { Catalogs, CATALOG_BUCKET } from './catalogs.js';
import { ClusterNode, type ClusterNodeOptions } from './cluster-node.js';
import type { RunnableServer } from './cluster-server.js';
import { ClusterServers } from './cluster-servers.js';
import { ClusterError, type Bucket, type Cluster } from './cluster.js';
import type { LinkRequest } from './frames.js';
import type { ClusterLink } from './link.js';
import { Links, type ServeLink } from './links.js';
import { encodeRecord, keyOf, serverRecord, type ServerRecord } from './records.js';

/** How long a node's lease may go without renewal before other nodes take over its servers, in milliseconds. */
export const LEASE_MS = 10_000;

/** The dependencies of a {@link ClusterMember}. */
export interface ClusterMemberParts
  extends
    Pick<ClusterNodeOptions, 'id' | 'name' | 'labels' | 'capacity' | 'version'>,
    Partial<Pick<Kit, 'clock' | 'logger'>> {
  readonly cluster: Cluster;
  readonly mux: Mux;
  /** Converts a spec from the cluster into a server config, and fills placeholders with this node's values. */
  readonly runnable: (server: string, spec: unknown) => RunnableServer;
  /** Serves links that do not target a server of this node. If absent, such links are rejected. */
  readonly serve?: ServeLink;
  readonly leaseMs?: number;
}

/** Makes a mux a node of a cluster. Registers all of the cluster's servers with the mux, whichever node runs them. */
export class ClusterMember {
  readonly node: ClusterNode;
  readonly links: Links;
  private readonly servers: ClusterServers;
  private readonly catalogs: Catalogs;
  private readonly unsubscribe: () => void;

  constructor(private readonly parts: ClusterMemberParts) {
    const {
      cluster,
      mux,
      runnable,
      serve,
      logger = nullLogger,
      clock = systemClock,
      leaseMs = LEASE_MS,
    } = parts;
    const { id, name, labels, capacity, version } = parts;
    this.catalogs = new Catalogs({
      openBucket: () => cluster.bucket(CATALOG_BUCKET),
      ownSpecs: () => this.servers.own,
      currentLists: (server) => mux.remember(server),
      clock,
      logger,
    });
    this.servers = new ClusterServers(clock, {
      mux,
      logger,
      runnable,
      links: () => this.links,
      catalogs: this.catalogs,
      unpublish: (server) => this.unpublish(server),
    });
    const options = { id, name, labels, capacity, version, leaseMs, clock, logger };
    this.node = new ClusterNode(cluster, options, this.servers);
    const serveOther = serve ?? (() => 'this node serves no such link');
    const serveLink = (hello: LinkRequest): ReturnType<ServeLink> =>
      this.servers.serve(hello) ?? serveOther(hello);
    this.links = new Links({ cluster, clock, node: id, serve: serveLink });
    this.unsubscribe = mux.on('catalog:changed', () => this.catalogs.listsChanged());
  }

  /** Joins the cluster. @throws ClusterError UNAVAILABLE */
  start(): Promise<void> {
    return this.node.start();
  }

  /** Opens a link to another node. @see Links.open */
  open(node: string, hello: LinkRequest): Promise<ClusterLink> {
    return this.links.open(node, hello);
  }

  /**
   * Adds a server to the cluster, or updates an existing one.
   *
   * @param replaces if false, an existing server with this name stays unchanged
   * @returns true if the cluster now has the server with this record
   * @throws ClusterError UNAVAILABLE, or CONFLICT if another node changes the server at the same time
   */
  async publish(server: string, record: ServerRecord, replaces: boolean): Promise<boolean> {
    const bucket = this.serversBucket();
    const key = keyOf(server);
    const existingEntry = await bucket.get(key);
    const value = encodeRecord(record);
    if (existingEntry === undefined) await bucket.create(key, value);
    else if (isDeepStrictEqual(serverRecord(existingEntry.value), serverRecord(value))) return true;
    else if (replaces) await bucket.update(key, value, existingEntry.revision);
    else return false;
    return true;
  }

  /**
   * Moves a server from this mux to the cluster, which then runs it on one of the cluster's nodes.
   *
   * @throws ClusterError UNAVAILABLE, CONFLICT
   */
  async adopt(server: string, record: ServerRecord): Promise<void> {
    await this.publish(server, record, true);
    this.servers.adopt(server);
  }

  /** Removes a server from the cluster, so that no node runs it. @throws ClusterError UNAVAILABLE, CONFLICT */
  async unpublish(server: string): Promise<void> {
    const [bucket, key] = [this.serversBucket(), keyOf(server)];
    const existingEntry = await bucket.get(key);
    if (existingEntry === undefined) return;
    try {
      await bucket.delete(key, existingEntry.revision);
    } catch (error) {
      // Another node may have removed the server at the same time.
      if ((await bucket.get(key)) !== undefined) throw error;
    }
    await this.catalogs.deleteLists(server);
  }

  /**
   * Moves this node's servers to other nodes. Resolves when each server runs elsewhere or is not expected to run soon,
   * so that calls that wait for a server can complete before this node shuts down.
   *
   * @throws ClusterError UNAVAILABLE
   */
  async drain(): Promise<void> {
    const movedServers = [...this.servers.own.keys()];
    await this.node.drain();
    await Promise.all(movedServers.map((server) => this.servers.arrived(server)));
  }

  /** Leaves the cluster gracefully, but does not close the connection to it. */
  async close(): Promise<void> {
    this.unsubscribe();
    this.catalogs.close();
    await this.node.close();
    this.links.close();
  }

  private serversBucket(): Bucket {
    const { servers } = this.node;
    if (servers !== undefined && this.parts.cluster.isConnected) return servers;
    const message =
      'This node has no connection to the cluster, so no server of the cluster can be added, changed or removed. ' +
      'Its own servers go on. Try again when the connection is back.';
    throw new ClusterError('UNAVAILABLE', message);
  }
}
