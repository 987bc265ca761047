import type { Duplex } from 'node:stream';

import { type ClientSession, HOST, type Mux } from '@mcpmux/core';
import { messageOf } from '@mcpmux/kit';

import { ClusterError } from './cluster.js';
import type { LinkRequest } from './frames.js';
import type { ServeLink } from './links.js';
import type { ServerLocation } from './server-locations.js';

/** Serves the links from other nodes to this node's servers. */
export class ServedLinks {
  /** The sessions of other nodes, by server name. */
  private readonly sessions = new Map<string, Set<ClientSession>>();

  /**
   * @param placeOf returns the location of a server
   * @param startOf resolves when a server of this node has started, and rejects if the start fails
   */
  constructor(
    private readonly mux: Pick<Mux, 'callTool' | 'connect' | 'reloadServer'>,
    private readonly placeOf: (server: string) => ServerLocation | undefined,
    private readonly startOf: (server: string) => Promise<void>,
  ) {}

  /** Returns a handler for a link, a reason to refuse it, or undefined if the link does not concern a server. */
  serve(hello: LinkRequest): ReturnType<ServeLink> | undefined {
    const { epoch, reload, logs } = hello;
    const server = reload ?? logs ?? hello['server'];
    if (typeof server !== 'string') return undefined;
    const place = this.placeOf(server);
    if (place?.kind !== 'here') return `this node does not run server ${JSON.stringify(server)}`;
    if (place.epoch !== epoch) return `server ${JSON.stringify(server)} has moved meanwhile`;
    if (reload !== undefined)
      return (link) => endWithText(link, this.reload(server, hello['approve'] === true));
    if (logs !== undefined) return (link) => endWithText(link, this.readLogs(server, hello['lines']));
    return (link) => this.connect(server, link);
  }

  /**
   * Ends the other nodes' sessions with a server, so that these nodes connect to its next owner. Must be called before
   * the server stops, because the sessions would otherwise report that the server has no tools.
   */
  endSessions(server: string): void {
    for (const session of this.sessions.get(server) ?? []) void session.leave();
    this.sessions.delete(server);
  }

  private async reload(server: string, approve: boolean): Promise<string> {
    await this.mux.reloadServer(server, { approve });
    return '';
  }

  private async readLogs(name: string, lines: unknown): Promise<string> {
    const args = typeof lines === 'number' ? { name, lines } : { name };
    const { structuredContent } = await this.mux.callTool('server_logs', args);
    return JSON.stringify(structuredContent);
  }

  /** Connects another node. Requests wait until the server has started. A failed start destroys the link. */
  private connect(server: string, link: Duplex): void {
    const pendingStart = this.startOf(server);
    const session = this.mux.connect(
      { input: link, output: link },
      { principal: HOST, server, heldUntil: pendingStart.catch(() => undefined) },
    );
    const sessions = this.sessions.get(server) ?? new Set();
    this.sessions.set(server, sessions.add(session));
    void session.closed.then(() => sessions.delete(session));
    pendingStart.catch((error: unknown) => link.destroy(new ClusterError('REFUSED', messageOf(error))));
  }
}

/** Ends the link with the resulting text, or destroys it with the reason for the failure. */
function endWithText(link: Duplex, work: Promise<string>): void {
  link.resume();
  work.then(
    (text) => link.end(text),
    (error: unknown) => link.destroy(new ClusterError('REFUSED', messageOf(error))),
  );
}
