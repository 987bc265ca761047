import type { Connection } from '../../upstream/link/connection.js';
import type { ListKind } from '../../upstream/lists/list-kind.js';
import type { Caller } from '../caller/caller.js';

/** A request of a client that stays open for the notifications that it names. */
export interface Listener {
  readonly caller: Caller;
  /** Lists may have changed: the client is told of those that are not as it knows them. */
  listsChanged(methods?: ReadonlySet<string>): void;
  /** The client was answered the first page of a list. */
  listRead(kind: ListKind): void;
  /** Resolves when the client has requested the tools of which it was told, or need not be waited for. */
  listsRequested(): Promise<void>;
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
