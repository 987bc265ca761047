import type { Socket } from 'node:net';

import { isObject } from '@mcpmux/clients';
import { HOST, type AddedServer, type Logger, type Mux, messageOf } from '@mcpmux/core';
import { windowLine } from '@mcpmux/relay';
import { MAX_OPENING_BYTES } from '../live/first-lines.js';
import { openStateLine } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';
import { openClientFrontend, type ClientFrontend } from '../serve/stdio-frontend.js';
import type { SharedServers } from './shared-servers.js';

/** The dependencies of a {@link Window}. */
export interface WindowParts {
  readonly mux: Pick<Mux, 'connect' | 'listServers' | 'on'>;
  /** The config's servers. Undefined without a config. */
  readonly servers: Pick<SharedServers, 'start' | 'addWindow'> | undefined;
  readonly logger: Logger;
}

/** How long a window from an earlier process waits for its servers to start, in milliseconds. */
const START_TIMEOUT_MS = 30_000;
/** The maximum size of the reported list of added servers, in bytes. The relay repeats it in its next opening. */
const MAX_ADDED_BYTES = MAX_OPENING_BYTES - 64 * 1024;

/** A connected window. */
export class Window {
  /** Resolves once the window has disconnected and all queued data has been sent. */
  readonly closed: Promise<void>;
  private readonly client: ClientFrontend;
  /** The added servers last reported, as JSON. Undefined until an earlier process's servers are restored. */
  private reportedText: string | undefined;

  constructor(
    connection: Socket,
    private readonly opening: WindowOpening,
    private readonly parts: WindowParts,
  ) {
    const { cwd, epoch } = opening;
    connection.write(openStateLine('opened'));
    this.client = openClientFrontend(
      parts.mux,
      { input: connection, output: connection },
      // Request ids must differ from those that an earlier process sent to the client.
      { workspace: cwd, folder: cwd, isolated: true, ...(epoch > 0 && { requestIds: `mux-${epoch}` }) },
    );
    this.closed = this.client.closed;
    void this.client.needed?.then(async (isNeeded) => {
      if (isNeeded) await this.startServers();
      this.client.onConfigured?.();
    });
  }

  /** The window's number in this process. */
  get id(): number {
    return this.client.session.session;
  }

  /** Gives another mcpmux access to this window's servers. */
  serveVisitor(connection: Socket): void {
    const { session } = this.client;
    connection.write(openStateLine('opened'));
    this.parts.mux.connect({ input: connection, output: connection }, { principal: HOST, beside: session });
  }

  /** Sends the relay the list of servers that agents have added, if the list has changed. */
  reportAddedServers(): void {
    if (this.reportedText === undefined) return;
    let byteCount = 0;
    const servers = this.client.session.added.filter((server) => {
      byteCount += Buffer.byteLength(JSON.stringify(server));
      return byteCount <= MAX_ADDED_BYTES;
    });
    const text = JSON.stringify(servers);
    if (text === this.reportedText) return;
    this.reportedText = text;
    this.client.session.sendLine(windowLine({ command: 'added', servers }));
  }

  /** Makes the relay connect to the next process. The relay leaves this one once its pending requests are answered. */
  redirect(): void {
    this.client.session.sendLine(windowLine({ command: 'leave' }));
  }

  private async startServers(): Promise<void> {
    const { servers, mux } = this.parts;
    const { cwd, epoch, added } = this.opening;
    if (servers !== undefined) {
      await servers.start();
      void this.closed.then(servers.addWindow(cwd));
    }
    for (const server of added) this.restoreServer(server);
    this.reportedText = JSON.stringify(added);
    this.reportAddedServers();
    // A client of an earlier process already has the lists, and may call tools immediately.
    if (epoch > 0) await waitUntilStarted(mux, START_TIMEOUT_MS);
  }

  private restoreServer(server: unknown): void {
    if (!isAddedServer(server)) return;
    const { name, isForAll } = server;
    const isRestored = this.client.session.added.some((one) => one.isForAll && one.name === name);
    // Another window has already restored the server.
    if (isForAll && isRestored) return;
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

/**
 * True if the value has the format of an added server in {@link windowLine}. The registry validates its configuration.
 */
function isAddedServer(server: unknown): server is AddedServer {
  if (!isObject(server)) return false;
  const { name, config, isForAll } = server;
  return typeof name === 'string' && isObject(config) && typeof isForAll === 'boolean';
}

/** Resolves when no server is starting, or after `withinMs` milliseconds. */
function waitUntilStarted(mux: Pick<Mux, 'listServers' | 'on'>, withinMs: number): Promise<void> {
  const isAnyStarting = (): boolean =>
    mux.listServers({ everywhere: true }).some(({ status }) => status === 'starting');
  if (!isAnyStarting()) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      for (const stop of unsubscribes) stop();
      resolve();
    };
    const checkServers = (): void => {
      if (!isAnyStarting()) finish();
    };
    const timer = setTimeout(finish, withinMs);
    const unsubscribes = [mux.on('server:state', checkServers), mux.on('server:removed', checkServers)];
  });
}
