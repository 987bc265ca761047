import type { Clock } from '@mcpmux/kit';

import { StartWaits } from './start-waits.js';
import { ClusterServer, type ClusterServerShared, type ClusterServices } from './cluster-server.js';
import { EntryStatuses } from './entry-statuses.js';
import { RemoteNodeServers } from './remote-node-servers.js';
import type { LinkRequest } from './frames.js';
import type { ServeLink } from './links.js';
import type { ClusterHost, ServerLocation } from './server-locations.js';
import { Removals } from './removals.js';
import { ServedLinks } from './served-links.js';

/** The cluster's servers in one node's mux. The mux reaches servers on other nodes through links. */
export class ClusterServers implements ClusterHost {
  private readonly servers = new Map<string, ClusterServer>();
  private readonly shared: ClusterServerShared;

  constructor(clock: Clock, services: ClusterServices) {
    const { mux, links } = services;
    const locateServer = (server: string): ServerLocation | undefined => this.servers.get(server)?.place;
    const awaitStart = async (server: string): Promise<void> => this.servers.get(server)?.whenStarted();
    const isOnItsWay = (server: string): boolean => this.servers.get(server)?.isOnItsWay === true;
    this.shared = {
      ...services,
      servedLinks: new ServedLinks(mux, locateServer, awaitStart),
      remoteServers: new RemoteNodeServers(locateServer, links),
      removals: new Removals(mux),
      startWaits: new StartWaits(mux, clock, isOnItsWay),
      statuses: new EntryStatuses(mux),
    };
  }

  place(name: string, place: ServerLocation): Promise<void> {
    const server = this.getOrCreateServer(name);
    if (place.kind === 'gone') this.servers.delete(name);
    return server.moveTo(place);
  }

  hasten(): void {
    this.shared.removals.hasten();
  }

  /** The specs of the servers that this node runs, by server name. */
  get own(): ReadonlyMap<string, unknown> {
    const own = [...this.servers].flatMap(([name, { place }]) =>
      place?.kind === 'here' ? [[name, place.record.spec] as const] : [],
    );
    return new Map(own);
  }

  /** Turns an existing server of this mux into a cluster server, which may move to another node. */
  adopt(name: string): void {
    this.getOrCreateServer(name).adopt();
  }

  /** Accepts or refuses another node's link to a server. Returns undefined if the link does not concern a server. */
  serve(hello: LinkRequest): ReturnType<ServeLink> | undefined {
    return this.shared.servedLinks.serve(hello);
  }

  /** Resolves when a server is no longer moving or starting, or when the maximum wait has passed. */
  async arrived(name: string): Promise<void> {
    await this.shared.startWaits.whenArrived(name);
  }

  private getOrCreateServer(name: string): ClusterServer {
    const server = this.servers.get(name) ?? new ClusterServer(name, this.shared);
    this.servers.set(name, server);
    return server;
  }
}
