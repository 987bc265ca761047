import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';

/** A client's open `subscriptions/listen` request, over which it gets the notifications that it has selected. */
export interface Listener {
  readonly caller: Caller;
  /** Called when lists may have changed. Notifies the client of the lists that differ from the lists it knows. */
  notifyListChanges(methods?: ReadonlySet<string>): void;
  /** Records that the client got the first page of a list. */
  recordListRead(kind: ListKind): void;
  /** Resolves once the client has requested the changed lists, or immediately if it is not expected to. */
  whenListsRequested(): Promise<void>;
  /** Notifies the client of a change to a resource, if it has subscribed to it. `line` is the server's notification. */
  handleResourceUpdate(line: Buffer, from: Connection | undefined, isShared: boolean): void;
  watchesTask(upstream: Upstream, task: string): boolean;
  /** Notifies the client of a change to a task that the listener watches. */
  handleTaskChange(received: ServerEvent<Upstream, ServerNotification>, isShared: boolean): void;
}

/** The listeners of one mux. */
export class Listeners {
  private readonly listeners = new Set<Listener>();

  add(listener: Listener): void {
    this.listeners.add(listener);
  }

  delete(listener: Listener): void {
    this.listeners.delete(listener);
  }

  watchersOf(upstream: Upstream, task: string): readonly Listener[] {
    return [...this.listeners].filter((listener) => listener.watchesTask(upstream, task));
  }

  values(): Iterable<Listener> {
    return this.listeners;
  }
}
