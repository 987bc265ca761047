import type { Connection } from '../../upstream/link/connection.js';
import type { Caller } from '../caller/caller.js';

/** A request of a client that stays open for the notifications that it names. */
export interface Listener {
  readonly caller: Caller;
  /** Lists have changed; `methods` are the notifications that say so. */
  listsChanged(methods: ReadonlySet<string>): void;
  /** A resource has changed that the listener holds: the notification that says so, a line. */
  updated(line: Buffer, from: Connection | undefined, isShared: boolean): void;
}

/** The listeners of one mux. */
export class Listens {
  private readonly open = new Set<Listener>();

  add(listener: Listener): void {
    this.open.add(listener);
  }

  delete(listener: Listener): void {
    this.open.delete(listener);
  }

  all(): Iterable<Listener> {
    return this.open;
  }
}
