import type { Socket } from 'node:net';

import { isOlder } from '../base/version-order.js';
import { VERSION } from '../base/version.js';
import type { ShownWindow } from '../live/admin-methods.js';
import { openedLine } from '../live/opening.js';
import type { WindowOpening } from '../live/read-opening.js';
import { idleAfter, type IdleTime } from './idle-time.js';
import { Window, type WindowParts } from './window.js';

/** The windows that share this process. */
export class Windows {
  private readonly open = new Map<Window, ShownWindow>();
  private readonly stops: readonly (() => void)[];
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private isLeaving = false;
  private isShared = false;

  /** @param onIdle called after the idle time without a window, and when the last has left for another process */
  constructor(
    private readonly parts: WindowParts,
    private readonly idle: IdleTime,
    private readonly onIdle: () => void,
  ) {
    const changed = (): void => {
      for (const window of this.open.keys()) window.reportAdded();
    };
    this.stops = [parts.mux.on('server:added', changed), parts.mux.on('server:removed', changed)];
    this.waitForWindows();
  }

  get shown(): readonly ShownWindow[] {
    return [...this.open.values()];
  }

  /** Serves one window until it disconnects, unless the window has a later version. */
  add(connection: Socket, opening: WindowOpening): void {
    const { cwd, pid, version = VERSION } = opening;
    // A relay that gets no response looks for the next process.
    if (this.isLeaving) return void connection.destroy();
    if (isOlder(VERSION, version)) return void connection.end(openedLine('older'));
    clearTimeout(this.timer);
    const window = new Window(connection, opening, this.parts);
    this.open.set(window, { id: window.id, pid, cwd, since: Date.now() });
    this.isShared ||= this.open.size > 1;
    void window.closed.then(() => {
      connection.destroySoon();
      this.open.delete(window);
      if (this.open.size === 0) this.waitForWindows(idleAfter(this.idle, this.isShared));
    });
  }

  /** Serves another mcpmux with the servers of a window, if the window is still connected. */
  visit(connection: Socket, id: number): void {
    const window = [...this.open.keys()].find((one) => one.id === id);
    if (window === undefined) connection.destroy();
    else window.visited(connection);
  }

  /** Sends all windows to another process. */
  leave(): void {
    this.isLeaving = true;
    for (const window of this.open.keys()) window.leave();
    if (this.open.size === 0) this.waitForWindows();
  }

  /** Stops waiting for windows. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const stop of this.stops) stop();
  }

  private waitForWindows(idleMs = this.idle.ms): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(() => this.onIdle(), this.isLeaving ? 0 : idleMs);
  }
}
