import type { Socket } from 'node:net';

import { isObject } from '@mcpmux/clients';
import { HOST, type AddedServer, type Logger, type Mux, messageOf } from '@mcpmux/core';
import { windowLine } from '@mcpmux/relay';
import { MAX_OPENING } from '../live/first-lines.js';
import { openedLine } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';
import { openClient, type ClientFrontend } from '../serve/stdio-frontend.js';
import type { SharedServers } from './shared-servers.js';

/** The dependencies of a {@link Window}. */
export interface WindowParts {
  readonly mux: Pick<Mux, 'connect' | 'listServers' | 'on'>;
  /** Absent without a config. */
  readonly servers: Pick<SharedServers, 'start' | 'enter'> | undefined;
  readonly logger: Logger;
}

/** The longest wait for starting servers. A window that knows another process waits for them. */
const START_WITHIN_MS = 30_000;
/** The servers that a window brings must fit into its first line. */
const MAX_ADDED = MAX_OPENING - 64 * 1024;

/** One connected window. */
export class Window {
  /** Resolves when the window has disconnected, and everything for it is sent. */
  readonly closed: Promise<void>;
  private readonly client: ClientFrontend;
  /** The last line about added servers. Undefined until the servers that the window brings are registered. */
  private reported: string | undefined;

  constructor(
    connection: Socket,
    private readonly opening: WindowOpening,
    private readonly parts: WindowParts,
  ) {
    const { cwd, epoch } = opening;
    connection.write(openedLine('opened'));
    this.client = openClient(
      parts.mux,
      { input: connection, output: connection },
      // The client may know request ids of an earlier process, so this process uses other ids.
      { workspace: cwd, folder: cwd, isolated: true, ...(epoch > 0 && { requestIds: `mux-${epoch}` }) },
    );
    this.closed = this.client.closed;
    void this.client.needed?.then(async (isNeeded) => {
      if (isNeeded) await this.startServers();
      this.client.configured?.();
    });
  }

  /** The window's number in this process. */
  get id(): number {
    return this.client.session.session;
  }

  /** Serves another mcpmux, which sees the servers of this window. */
  visited(connection: Socket): void {
    const { session } = this.client;
    connection.write(openedLine('opened'));
    this.parts.mux.connect({ input: connection, output: connection }, { principal: HOST, beside: session });
  }

  /** Sends the relay the servers that agents have added, if they have changed. */
  reportAdded(): void {
    if (this.reported === undefined) return;
    let bytes = 0;
    const servers = this.client.session.added.filter((server) => {
      bytes += Buffer.byteLength(JSON.stringify(server));
      return bytes <= MAX_ADDED;
    });
    const text = JSON.stringify(servers);
    if (text === this.reported) return;
    this.reported = text;
    this.client.session.sendLine(windowLine({ command: 'added', servers }));
  }

  /** Sends the window to another process. The window disconnects when its open requests are answered. */
  leave(): void {
    this.client.session.sendLine(windowLine({ command: 'leave' }));
  }

  private async startServers(): Promise<void> {
    const { servers, mux } = this.parts;
    const { cwd, epoch, added } = this.opening;
    if (servers !== undefined) {
      await servers.start();
      void this.closed.then(servers.enter(cwd));
    }
    for (const server of added) this.restore(server);
    this.reported = JSON.stringify(added);
    this.reportAdded();
    // The client knows the servers' lists, and has called their tools before.
    if (epoch > 0) await serversSettled(mux, START_WITHIN_MS);
  }

  private restore(server: unknown): void {
    if (!isAdded(server)) return;
    const { name, isForAll } = server;
    const isThere = this.client.session.added.some((one) => one.isForAll && one.name === name);
    // Another window has already brought the server.
    if (isForAll && isThere) return;
    try {
      this.client.session.restore(server);
    } catch (error) {
      this.parts.logger.log('warn', 'a server that an agent had added is not there any more', {
        server: name,
        problem: messageOf(error),
      });
    }
  }
}

/** True if the value has the form that {@link windowLine} sends. The registry checks the config. */
function isAdded(server: unknown): server is AddedServer {
  if (!isObject(server)) return false;
  const { name, config, isForAll } = server;
  return typeof name === 'string' && isObject(config) && typeof isForAll === 'boolean';
}

/** Resolves when no server is starting, or after `withinMs`. */
function serversSettled(mux: Pick<Mux, 'listServers' | 'on'>, withinMs: number): Promise<void> {
  const isAnyStarting = (): boolean =>
    mux.listServers({ everywhere: true }).some(({ status }) => status === 'starting');
  if (!isAnyStarting()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      resolve();
    };
    const look = (): void => {
      if (!isAnyStarting()) done();
    };
    const timer = setTimeout(done, withinMs);
    const stops = [mux.on('server:state', look), mux.on('server:removed', look)];
  });
}
