import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

import type { StreamConfig } from '@mcpmux/core';
import { messageOf, MuxError } from '@mcpmux/kit';

import type { ServerLocation } from './server-locations.js';
import { ClusterError } from './cluster.js';
import type { Links } from './links.js';

const MAX_ATTEMPTS = 10;
const RETRY_DELAY_MS = 50;

const RETRY_ADVICE =
  'The cluster starts it on another node when its node is gone. Try again in a moment, or call list_servers.';

/** Links this node's mux to the cluster servers that run on other nodes. */
export class RemoteNodeServers {
  /** The epoch of the last link to each server, and whether the server's node has released the server. */
  private readonly lastLinks = new Map<string, { readonly epoch: number; hasLeft: boolean }>();

  /** @param placeOf returns the location of a server */
  constructor(
    private readonly placeOf: (server: string) => ServerLocation | undefined,
    private readonly links: () => Pick<Links, 'open' | 'doubt'> | undefined,
  ) {}

  /** Returns true if the node that ran a server in the given epoch has released it. */
  hasLeft(server: string, epoch: number): boolean {
    const lastLink = this.lastLinks.get(server);
    return lastLink?.epoch === epoch && lastLink.hasLeft;
  }

  /** Deletes the state of a server that the cluster no longer has. */
  forgetServer(server: string): void {
    this.lastLinks.delete(server);
  }

  /**
   * Returns the config that the mux registers for a server on another node.
   *
   * @param callTimeoutMs the configured timeout. The server's node enforces it, and this node only checks that node.
   */
  configFor(server: string, callTimeoutMs?: number): StreamConfig {
    return {
      ...(callTimeoutMs !== undefined && { callTimeoutMs }),
      late: () => this.checkNodeOf(server),
      address: `cluster:${server}`,
      open: () => this.openStreams(server),
      isNamed: true,
      sendsPrincipal: true,
      advice: RETRY_ADVICE,
      // Modern, because each request then describes its client, and a response can contain the server's questions.
      protocol: 'modern',
      restart: 'always',
      isSupervised: true,
    };
  }

  /**
   * Reloads a server on the node that runs it. Resolves when the server is running.
   *
   * @throws MuxError START_FAILED with the node's name and the reason for the failure
   */
  async reload(server: string, approve: boolean): Promise<void> {
    try {
      const link = await this.openLink(server, { reload: server, approve });
      link.end();
      await text(link);
    } catch (error) {
      const place = this.placeOf(server);
      const nodePhrase = place?.kind === 'there' ? ` on node ${JSON.stringify(place.name)}` : '';
      const message = `Server ${JSON.stringify(server)}${nodePhrase} was not reloaded: ${messageOf(error)}`;
      throw new MuxError('START_FAILED', message, { cause: error });
    }
  }

  /** Resolves to the JSON result of `server_logs` on the server's node, or to undefined if the logs cannot be read. */
  async readLogs(server: string, lines: number | undefined): Promise<string | undefined> {
    try {
      const link = await this.openLink(server, { logs: server, lines });
      link.end();
      return await text(link);
    } catch {
      return undefined;
    }
  }

  private checkNodeOf(server: string): void {
    const place = this.placeOf(server);
    if (place?.kind === 'there') this.links()?.doubt(place.node);
  }

  /** Opens a link to a server. Retries after a refusal, because the owner may not know of its ownership yet. */
  private async openStreams(server: string): Promise<{ input: Duplex; output: Duplex }> {
    for (let tries = 1; ; tries += 1) {
      const place = this.placeOf(server);
      const epoch = place?.kind === 'there' ? place.epoch : 0;
      try {
        const link = await this.openLink(server, { server });
        this.recordEnd(server, epoch, link);
        return { input: link, output: link };
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        if (error.code === 'REFUSED') this.lastLinks.set(server, { epoch, hasLeft: true });
        if (error.code !== 'REFUSED' || tries >= MAX_ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  /** Records whether a link ended cleanly, because only a node that releases the server closes the link cleanly. */
  private recordEnd(server: string, epoch: number, link: Duplex): void {
    const lastLink = { epoch, hasLeft: false };
    this.lastLinks.set(server, lastLink);
    link.once('end', () => (lastLink.hasLeft = true));
    link.once('error', (error) => {
      lastLink.hasLeft = error instanceof ClusterError && error.code === 'CLOSED';
    });
  }

  /** @param hello the link request without the epoch */
  private async openLink(server: string, hello: object): Promise<Duplex> {
    const place = this.placeOf(server);
    if (place?.kind !== 'there') throw new ClusterError('NOBODY', `no node runs it: ${noLinkReason(place)}`);
    const { node, name, epoch } = place;
    const link = await this.links()?.open(node, { ...hello, epoch });
    if (link === undefined) throw new ClusterError('CLOSED', `this node has left the cluster of ${name}`);
    return link;
  }
}

function noLinkReason(place: ServerLocation | undefined): string {
  return place?.kind === 'nowhere' ? place.reason : 'the cluster does not have it';
}
