import type { Socket } from 'node:net';

import type { Mux } from '@mcpmux/core';

import type { WindowOpening } from '../live/control-line.js';
import { openClient } from '../serve/stdio-frontend.js';
import type { SharedServers } from './shared-servers.js';

/** A connected window, for people. */
export interface ShownWindow {
  /** The process id of its relay. */
  readonly pid: number;
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The dependencies of {@link Windows}. */
export interface WindowsParts {
  readonly mux: Pick<Mux, 'connect'>;
  /** Absent without a config. */
  readonly servers: Pick<SharedServers, 'start' | 'enter'> | undefined;
  /** How long the process stays without windows, in milliseconds. */
  readonly idleMs: number;
  /** Called when no window was there for that long. */
  readonly onIdle: () => void;
}

/** The windows that share this process. */
export class Windows {
  private readonly open = new Map<Socket, ShownWindow>();
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(private readonly parts: WindowsParts) {
    this.waitForWindows();
  }

  get shown(): readonly ShownWindow[] {
    return [...this.open.values()];
  }

  /** Serves one window until it is gone. */
  add(connection: Socket, { cwd, epoch, pid }: WindowOpening): void {
    clearTimeout(this.timer);
    this.open.set(connection, { pid, cwd, since: Date.now() });
    const client = openClient(
      this.parts.mux,
      { input: connection, output: connection },
      // Requests to a client that knows those of an earlier process have other ids.
      { workspace: cwd, folder: cwd, isolated: true, ...(epoch > 0 && { requestIds: `mux-${epoch}` }) },
    );
    const left = client.closed.then(() => this.remove(connection));
    void client.needed?.then(async (isNeeded) => {
      if (isNeeded) await this.startServers(cwd, left);
      client.configured?.();
    });
  }

  /** Waits for no window any more. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  private async startServers(cwd: string, left: Promise<void>): Promise<void> {
    const { servers } = this.parts;
    if (servers === undefined) return;
    await servers.start();
    const leave = servers.enter(cwd);
    void left.then(leave);
  }

  private remove(connection: Socket): void {
    connection.destroySoon();
    this.open.delete(connection);
    if (this.open.size === 0) this.waitForWindows();
  }

  private waitForWindows(): void {
    const { onIdle, idleMs } = this.parts;
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(onIdle, idleMs);
  }
}
