import type { Connection } from '../../server/link/connection.js';
import type { ListKind } from '../../server/lists/list-kind.js';
import type { ServerNotification } from '../../server/link/pending-call.js';
import type { ServerEvent } from '../../server/run/run-inbox.js';
import type { Upstream } from '../../server/upstream.js';
import type { Caller } from '../caller/caller.js';

/** A client request that stays open and receives the notifications that it names. */
export interface Listener {
  readonly caller: Caller;
  /** Handles a possible change of lists. Notifies the client of lists that differ from the lists it knows. */
  notifyListChanges(methods?: ReadonlySet<string>): void;
  /** Records that the client got the first page of a list. */
  recordListRead(kind: ListKind): void;
  /** Resolves once the client has requested the changed tools, or immediately if no request is expected. */
  whenListsRequested(): Promise<void>;
  /** Handles a change to a subscribed resource. `line` is the notification. */
  handleResourceUpdate(line: Buffer, from: Connection | undefined, isShared: boolean): void;
  /** True if the listener has requested the status of a task. */
  watchesTask(upstream: Upstream, task: string): boolean;
  /** Handles a change to a task that the listener watches. */
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

  /** Returns the listeners that have requested the status of a task. */
  watchersOf(upstream: Upstream, task: string): readonly Listener[] {
    return [...this.listeners].filter((listener) => listener.watchesTask(upstream, task));
  }

  values(): Iterable<Listener> {
    return this.listeners;
  }
}
