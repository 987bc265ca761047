import type { CallEnding } from '../downstream/request/forwarded-call.js';
import { afterCallback } from '../base/host-callback.js';
import type { AuditRecord } from '../tools/journal/audit.js';
import type { StatusName } from '../upstream/upstream-state.js';
import { EventInbox, type MissedEvents } from './event-inbox.js';

/** Payloads of the events of a mux, by event name. */
export interface MuxEventMap {
  /** A server was registered; it is starting. */
  'server:added': { readonly server: string };
  /** A server's state has changed. */
  'server:state': {
    readonly server: string;
    readonly status: StatusName;
    /** The reason why it has crashed or failed, in one sentence. */
    readonly error?: string;
  };
  /** A server was unregistered. Its processes may still be stopping. */
  'server:removed': { readonly server: string };
  /**
   * A server of the host, which several clients share, has asked for the roots of a client. Emitted once for each run,
   * when no request is in flight at the server.
   */
  'server:asked-roots': { readonly server: string };
  /** A line of a server's stderr, without control characters. */
  'server:stderr': { readonly server: string; readonly line: string };
  /** A server was added, removed, reloaded or spawned, or such an operation was refused. */
  audit: AuditRecord;
  /** A tool call was sent to its server. */
  'call:start': {
    readonly server: string;
    /** The tool's name at its server. */
    readonly tool: string;
    /** Number of the call, unique within the mux. */
    readonly call: number;
  };
  /** A tool call has ended. */
  'call:end': {
    readonly server: string;
    readonly tool: string;
    readonly call: number;
    /** Time since the call was sent, in milliseconds. */
    readonly ms: number;
    readonly ending: CallEnding;
    /** The first line with which the server says that the call has failed; also of a result with `isError`. */
    readonly problem?: string;
  };
  /** The merged lists have changed. Clients are being notified. */
  'catalog:changed': Readonly<Record<string, never>>;
}

/** Names of the events. */
export type MuxEventName = keyof MuxEventMap;
/** One event with its name. */
export type MuxEvent = { [Name in MuxEventName]: { readonly type: Name } & MuxEventMap[Name] }[MuxEventName];

type Receiver = (event?: MuxEvent) => void;

/** Emitted twice for every call, and only where somebody listens. */
const OF_CALLS: ReadonlySet<MuxEventName> = new Set(['call:start', 'call:end']);

interface Listener {
  readonly type: MuxEventName;
  readonly call: (event: never) => unknown;
}

/**
 * Typed events, for listeners and for `for await`. Every call emits two events, so an event without listeners
 * must cost almost nothing: an `EventEmitter` costs more than the rest of the answer's path.
 */
export class MuxEvents {
  /** One entry for each time a listener was given. The list is replaced, not changed: it may be in use just then. */
  private listeners: readonly Listener[] = [];
  private readonly receivers = new Set<Receiver>();
  /** True if anybody listens to calls. */
  isHeard = false;
  private isClosed = false;

  /** @param onFault receives errors thrown by listeners, which affect neither mcpmux nor the other listeners */
  constructor(private readonly onFault: (error: unknown) => void = () => undefined) {}

  emit<Name extends MuxEventName>(type: Name, event: MuxEventMap[Name]): void {
    for (const listener of this.listeners) if (listener.type === type) this.tell(listener, event);
    if (this.receivers.size === 0) return;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name and its own event
    const named = { type, ...event } as unknown as MuxEvent;
    for (const receive of this.receivers) receive(named);
  }

  private tell({ call }: Listener, event: unknown): void {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event of the listener's type
      afterCallback(call(event as never), this.onFault);
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Calls `listener` for every event of the given name. Returns a function that removes the listener. */
  on<Name extends MuxEventName>(type: Name, listener: (event: MuxEventMap[Name]) => void): () => void {
    const entry = { type, call: listener };
    this.listeners = [...this.listeners, entry];
    this.updateHeard();
    return () => {
      this.listeners = this.listeners.filter((other) => other !== entry);
      this.updateHeard();
    };
  }

  /** Iterates over all events from now on, until the mux is closed or the loop is left. */
  iterate(): AsyncGenerator<MuxEvent | MissedEvents, void, void> {
    const reader: Reader = { inbox: new EventInbox<MuxEvent>(), wake: () => undefined };
    const receive: Receiver = (event) => {
      if (event !== undefined) reader.inbox.push(event);
      reader.wake();
    };
    // Not in the generator: its body begins to run only when it is first asked for an event.
    this.receivers.add(receive);
    this.isHeard = true;
    return this.read(reader, () => {
      this.receivers.delete(receive);
      this.updateHeard();
    });
  }

  /** Ends the iterators after they have yielded their buffered events. */
  close(): void {
    this.isClosed = true;
    for (const receive of this.receivers) receive();
  }

  private updateHeard(): void {
    this.isHeard = this.receivers.size > 0 || this.listeners.some(({ type }) => OF_CALLS.has(type));
  }

  private async *read(
    reader: Reader,
    leave: () => void,
  ): AsyncGenerator<MuxEvent | MissedEvents, void, void> {
    try {
      for (;;) {
        const event = reader.inbox.take();
        if (event !== undefined) yield event;
        else if (this.isClosed) return;
        else await new Promise<void>((resolve) => (reader.wake = resolve));
      }
    } finally {
      leave();
    }
  }
}

/** One iterator: what has arrived for it, and how to tell it. */
interface Reader {
  readonly inbox: EventInbox<MuxEvent>;
  wake: () => void;
}
