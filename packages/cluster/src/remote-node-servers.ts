import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { StreamConfig } from '@mcpmux/core';
import { messageOf, MuxError } from '@mcpmux/kit';

import type { ServerLocation } from './server-locations.js';
import { ClusterError } from './cluster.js';
import type { Links } from './links.js';

const MAX_TRIES = 10;
const TRY_AGAIN_MS = 50;

const ADVICE =
  'The cluster starts it on another node when its node is gone. Try again in a moment, or call list_servers.';

/** The servers of a cluster that run on other nodes. Each server is reached through a link to its node. */
export class RemoteNodeServers {
  /** By server: data about the last link to it. */
  private readonly last = new Map<string, { readonly epoch: number; hasLeft: boolean }>();

  /** @param placeOf returns the location of a server */
  constructor(
    private readonly placeOf: (server: string) => ServerLocation | undefined,
    private readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined,
  ) {}

  /** True if the node that had a server in this epoch has released the server. */
  hasLeft(server: string, epoch: number): boolean {
    const last = this.last.get(server);
    return last?.epoch === epoch && last.hasLeft;
  }

  /** Deletes the data of a server that the cluster no longer has. */
  forget(server: string): void {
    this.last.delete(server);
  }

  /**
   * Returns the config that the mux registers for a server on another node.
   *
   * @param callTimeoutMs the timeout from the server's entry. The server's node applies it, as long as that node is
   *   alive
   */
  config(server: string, callTimeoutMs?: number): StreamConfig {
    return {
      ...(callTimeoutMs !== undefined && { callTimeoutMs }),
      late: () => this.doubt(server),
      address: `cluster:${server}`,
      open: () => this.open(server),
      isNamed: true,
      sendsPrincipal: true,
      advice: ADVICE,
      // In this era, each request describes its client, and a question of the server is in the response to the same
      // request.
      protocol: 'modern',
      restart: 'always',
      isSupervised: true,
    };
  }

  /**
   * Requests a reload from the node that runs a server. Resolves when the server runs.
   *
   * @throws MuxError START_FAILED with the name of the node and its reason
   */
  async reload(server: string, approve: boolean): Promise<void> {
    try {
      const link = await this.link(server, { reload: server, approve });
      link.end();
      await text(link);
    } catch (error) {
      const place = this.placeOf(server);
      const owner = place?.kind === 'there' ? ` on node ${JSON.stringify(place.name)}` : '';
      const message = `Server ${JSON.stringify(server)}${owner} was not reloaded: ${messageOf(error)}`;
      throw new MuxError('START_FAILED', message, { cause: error });
    }
  }

  /**
   * Resolves to the result of `server_logs` on the node that runs a server, as JSON text; undefined if the node cannot
   * be reached.
   */
  async logs(server: string, lines: number | undefined): Promise<string | undefined> {
    try {
      const link = await this.link(server, { logs: server, lines });
      link.end();
      return await text(link);
    } catch {
      return undefined;
    }
  }

  private doubt(server: string): void {
    const place = this.placeOf(server);
    if (place?.kind === 'there') this.links()?.doubt(place.node);
  }

  /** Retries, because the owner may learn of its ownership a moment after this node does. */
  private async open(server: string): Promise<{ input: Duplex; output: Duplex }> {
    for (let tries = 1; ; tries += 1) {
      const place = this.placeOf(server);
      const epoch = place?.kind === 'there' ? place.epoch : 0;
      try {
        const link = await this.link(server, { server });
        this.watch(server, epoch, link);
        return { input: link, output: link };
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (error.code === 'REFUSED') this.last.set(server, { epoch, hasLeft: true });
        if (error.code !== 'REFUSED' || tries >= MAX_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
      }
    }
  }

  /**
   * Watches how a link ends. A node that releases a server closes its links in order, and a node that dies does not.
   */
  private watch(server: string, epoch: number, link: Duplex): void {
    const last = { epoch, hasLeft: false };
    this.last.set(server, last);
    link.once('end', () => (last.hasLeft = true));
    link.once('error', (error) => {
      last.hasLeft = error instanceof ClusterError && error.code === 'CLOSED';
    });
  }

  /** @param hello the purpose of the link; the epoch is added */
  private async link(server: string, hello: object): Promise<Duplex> {
    const place = this.placeOf(server);
    if (place?.kind !== 'there') throw new ClusterError('NOBODY', `no node runs it: ${reasonOf(place)}`);
    const { node, name, epoch } = place;
    const link = await this.links()?.open(node, { ...hello, epoch });
    if (link === undefined) throw new ClusterError('CLOSED', `this node has left the cluster of ${name}`);
    return link;
  }
}

function reasonOf(place: ServerLocation | undefined): string {
  return place?.kind === 'nowhere' ? place.reason : 'the cluster does not have it';
}
