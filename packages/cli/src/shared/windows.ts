import type { Socket } from 'node:net';

import { isOlder } from '../base/version-order.js';
import { VERSION } from '../base/version.js';
import type { ConnectedWindow } from '../live/admin-methods.js';
import { openStateLine } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';
import { idleMsAfterLastWindow, type IdleTime } from './idle-time.js';
import { Window, type WindowParts } from './window.js';

/** The windows that share this process. */
export class Windows {
  private readonly windows = new Map<Window, ConnectedWindow>();
  private readonly unsubscribes: readonly (() => void)[];
  private idleTimer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private isHandingOver = false;
  private isShared = false;

  /** @param onIdle called after the idle time without a window, or when the last window has moved to another process */
  constructor(
    private readonly parts: WindowParts,
    private readonly idle: IdleTime,
    private readonly onIdle: () => void,
  ) {
    const report = (): void => {
      for (const window of this.windows.keys()) window.reportAddedServers();
    };
    this.unsubscribes = [parts.mux.on('server:added', report), parts.mux.on('server:removed', report)];
    this.startIdleTimer();
  }

  get connectedWindows(): readonly ConnectedWindow[] {
    return [...this.windows.values()];
  }

  /** Serves a window until it disconnects. Refuses a window whose mcpmux is newer than this process. */
  serveWindow(connection: Socket, opening: WindowOpening): void {
    const { cwd, pid, version = VERSION } = opening;
    // A relay that gets no response connects to the next process.
    if (this.isHandingOver) return void connection.destroy();
    if (isOlder(VERSION, version)) return void connection.end(openStateLine('older'));
    clearTimeout(this.idleTimer);
    const window = new Window(connection, opening, this.parts);
    this.windows.set(window, { id: window.id, pid, cwd, since: Date.now() });
    this.isShared ||= this.windows.size > 1;
    void window.closed.then(() => {
      connection.destroySoon();
      this.windows.delete(window);
      if (this.windows.size === 0) this.startIdleTimer(idleMsAfterLastWindow(this.idle, this.isShared));
    });
  }

  /** Gives another mcpmux access to a window's servers. Closes the connection if the window has disconnected. */
  serveVisitor(connection: Socket, id: number): void {
    const window = [...this.windows.keys()].find((one) => one.id === id);
    if (window === undefined) connection.destroy();
    else window.serveVisitor(connection);
  }

  /** Redirects the connected windows to the next process, and refuses new windows. */
  redirectAll(): void {
    this.isHandingOver = true;
    for (const window of this.windows.keys()) window.redirect();
    if (this.windows.size === 0) this.startIdleTimer();
  }

  /** Stops the idle timer and the reports of added servers. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.idleTimer);
    for (const stop of this.unsubscribes) stop();
  }

  private startIdleTimer(idleMs = this.idle.ms): void {
    clearTimeout(this.idleTimer);
    if (!this.isClosed) this.idleTimer = setTimeout(() => this.onIdle(), this.isHandingOver ? 0 : idleMs);
  }
}
