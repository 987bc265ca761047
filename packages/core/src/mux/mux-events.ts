import { afterCallback } from '@mcpmux/kit';
import type { CallEnding } from '../client/request/forwarded-call.js';
import type { AuditRecord } from '../tools/journal/audit.js';
import type { StatusName } from '../server/upstream-state.js';
import { EventHistory } from './event-history.js';
import { EventReader } from './event-reader.js';
import type { NamedServer } from './server-place.js';

/** The payload type of each event of a mux. */
export interface MuxEventMap {
  /** A server was registered. */
  'server:added': NamedServer;
  /** A server's state has changed. */
  'server:state': NamedServer & {
    readonly status: StatusName;
    /** Why the server has crashed or failed, in one sentence. */
    readonly error?: string;
  };
  /** A server was unregistered. Its processes may still be stopping. */
  'server:removed': NamedServer;
  /**
   * A server that the host added for several clients has requested the roots of one client. Emitted once per server
   * run, as soon as no request to the server is pending.
   */
  'server:asked-roots': NamedServer;
  /** A line of a server's stderr, without control characters. */
  'server:stderr': NamedServer & { readonly line: string };
  /**
   * A line of a server's stdout that is not an MCP message, without control characters. Emitted for at most
   * `maxStderrLinesPerSecond` lines per server and second.
   */
  'server:stdout': NamedServer & { readonly line: string };
  /** An operation on a server, such as an addition or a reload, was completed or refused, or has failed. */
  audit: AuditRecord;
  /** A tool call was sent to its server. */
  'call:start': NamedServer & {
    /** The tool's local name, without the server's name. */
    readonly tool: string;
    /** Call number, unique within the mux. The `call:end` event of the call has the same number. */
    readonly call: number;
    /** The number of the client's session. This and the following members require the option `details`. */
    readonly session?: number;
    /** The name that the client declared for itself. */
    readonly client?: string;
    /** The size of the request, in bytes. */
    readonly bytes?: number;
    /** The beginning of the arguments as JSON, without secrets. Limited to a number of calls per second. */
    readonly arguments?: string;
    /** The size of the complete arguments, in bytes. Absent if `arguments` is not truncated. */
    readonly argumentsBytes?: number;
  };
  /** A tool call has ended. */
  'call:end': NamedServer & {
    readonly tool: string;
    readonly call: number;
    /** Time from the start of the call to its end, in milliseconds. */
    readonly ms: number;
    readonly ending: CallEnding;
    /** The first line of the error message, or of the text of a result with `isError`. */
    readonly problem?: string;
    /** The size of the server's response, in bytes. Requires the option `details`. */
    readonly bytes?: number;
    /** The beginning of the result or error as JSON, without secrets. Absent if `call:start` had no `arguments`. */
    readonly result?: string;
    /** The size of the complete result or error, in bytes. Absent if `result` is not truncated. */
    readonly resultBytes?: number;
  };
  /** The merged lists have changed. Clients are being notified. */
  'catalog:changed': Readonly<Record<string, never>>;
}

/** The name of an event. */
export type MuxEventName = keyof MuxEventMap;
/** An event with its name. */
export type MuxEvent = { [Name in MuxEventName]: { readonly type: Name } & MuxEventMap[Name] }[MuxEventName];

/** An event with its number and time. */
export type NumberedEvent = MuxEvent & {
  /** The event's number, counted from 1. Calls are numbered only while call events have a listener or reader. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly time: number;
};

/** Options of {@link MuxEvents.on}. */
export interface ListenOptions {
  /**
   * If true, call events include the session, client and size for at most 20 calls per second (after a burst of 100),
   * and the beginning of the arguments and result for at most 5 calls per second (after a burst of 50). `sizes` omits
   * the arguments and result, which are the costliest.
   */
  readonly details?: boolean | 'sizes' | undefined;
}

/** Options of {@link MuxEvents.iterate}. */
export interface EventsOptions extends ListenOptions {
  /**
   * Number of the last event that the reader has already received. Reading resumes with the stored events after it. An
   * `events:missed` event reports events that are no longer stored. When absent, reading starts with the next event.
   */
  readonly after?: number | undefined;
  /** Names of the events to read. Defaults to all events. */
  readonly types?: readonly MuxEventName[] | undefined;
}

/** How long call events are still stored after their last reader has left, in case it reconnects; in milliseconds. */
const CALLS_STORED_MS = 60_000;

/** The names of the events that are emitted for every call. */
const CALL_EVENTS: ReadonlySet<string> = new Set(['call:start', 'call:end']);

interface Listener {
  readonly type: MuxEventName;
  readonly callback: (event: never) => unknown;
  readonly details: boolean | 'sizes';
}

/**
 * Typed events, for listeners and for `for await`. Each call causes two events, so an event without listeners must cost
 * almost nothing. An `EventEmitter` would be too slow for this.
 */
export class MuxEvents {
  /** Replaced rather than mutated, because `emit` may be iterating over it. */
  private listeners: readonly Listener[] = [];
  private readonly readers = new Set<EventReader<NumberedEvent>>();
  /** True if call events have a listener or reader, or must still be stored for a reader that may reconnect. */
  hasListeners = false;
  /** The most detailed setting of `details` among all listeners and readers. */
  includesDetails: boolean | 'sizes' = false;
  private areCallsRead = false;
  private isClosed = false;
  private sequence = 0;
  private readonly history = new EventHistory<NumberedEvent>((type) => CALL_EVENTS.has(type));
  private callsStoredUntil = 0;

  /**
   * @param onFault receives errors thrown by listeners; such an error does not stop other listeners
   * @param now returns milliseconds since 1970
   */
  constructor(
    private readonly onFault: (error: unknown) => void = () => undefined,
    private readonly now: () => number = Date.now,
  ) {}

  /** The number of the last event; 0 before the first. */
  get lastSequence(): number {
    return this.sequence;
  }

  emit<Name extends MuxEventName>(type: Name, event: MuxEventMap[Name]): void {
    for (const listener of this.listeners) if (listener.type === type) this.notify(listener, event);
    this.sequence += 1;
    const { sequence } = this;
    if (!this.areCallsRead && CALL_EVENTS.has(type) && !this.areCallsStored())
      return this.history.addLost({ type, sequence });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name and its own event
    const full = { type, sequence, time: this.now(), ...event } as unknown as NumberedEvent;
    const plain = this.includesDetails !== false ? withoutDetails(full) : full;
    this.history.add(plain);
    for (const reader of this.readers) if (reader.wants(type)) reader.push(reader.details ? full : plain);
  }

  /** True if call events are still stored for a reader that may reconnect. */
  private areCallsStored(): boolean {
    if (this.callsStoredUntil === 0) return false;
    if (this.now() < this.callsStoredUntil) return true;
    this.callsStoredUntil = 0;
    this.updateListeners();
    return false;
  }

  private notify({ callback }: Listener, event: unknown): void {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an event of the listener's type
      afterCallback(callback(event as never), this.onFault);
    } catch (error) {
      this.onFault(error);
    }
  }

  /** Calls `listener` for every event with this name. Returns a function that removes the listener. */
  on<Name extends MuxEventName>(
    type: Name,
    listener: (event: MuxEventMap[Name]) => void,
    { details = false }: ListenOptions = {},
  ): () => void {
    const entry = { type, callback: listener, details };
    this.listeners = [...this.listeners, entry];
    this.updateListeners();
    return () => {
      this.listeners = this.listeners.filter((other) => other !== entry);
      this.updateListeners();
    };
  }

  /** Iterates over events until the mux is closed or the consumer leaves the loop. */
  iterate(options: EventsOptions = {}): EventReader<NumberedEvent> {
    const reader = new EventReader<NumberedEvent>(() => this.removeReader(reader), options);
    if (options.after !== undefined) this.replay(reader, options.after);
    if (this.isClosed) reader.end();
    this.readers.add(reader);
    this.updateListeners();
    return reader;
  }

  private removeReader(reader: EventReader<NumberedEvent>): void {
    if (!this.readers.delete(reader)) return;
    const { areCallsRead } = this;
    this.updateListeners();
    if (!areCallsRead || this.areCallsRead) return;
    this.callsStoredUntil = this.now() + CALLS_STORED_MS;
    this.updateListeners();
  }

  /** Queues the stored events after the number `after`, or all of them if the number is from another mux. */
  private replay(reader: EventReader<NumberedEvent>, after: number): void {
    const isFromThisMux = after <= this.sequence;
    const wants = (type: string): boolean => reader.wants(type);
    const storedEvents = this.history.eventsAfter(isFromThisMux ? after : 0, wants);
    const lostCount = reader.readsAllTypes
      ? this.sequence - after - storedEvents.length
      : this.history.countLostAfter(after, wants);
    reader.inbox.insertPastEvents(isFromThisMux ? lostCount : 0, storedEvents);
  }

  /** Ends all iterators, each after it has yielded its buffered events. */
  close(): void {
    this.isClosed = true;
    for (const reader of this.readers) reader.end();
  }

  private updateListeners(): void {
    const readers = [...this.readers];
    const requestedDetails = new Set([...readers, ...this.listeners].map(({ details }) => details));
    this.includesDetails = requestedDetails.has(true) || (requestedDetails.has('sizes') && 'sizes');
    this.areCallsRead = readers.some((reader) => reader.wants('call:start') || reader.wants('call:end'));
    const areCallsRecorded = this.areCallsRead || this.callsStoredUntil > 0;
    this.hasListeners = areCallsRecorded || this.listeners.some(({ type }) => CALL_EVENTS.has(type));
  }
}

function withoutDetails(event: NumberedEvent): NumberedEvent {
  if (event.type === 'call:start') {
    const { session: _, client: __, bytes: ___, arguments: ____, argumentsBytes: _____, ...rest } = event;
    return rest;
  }
  if (event.type !== 'call:end') return event;
  const { bytes: _, result: __, resultBytes: ___, ...rest } = event;
  return rest;
}
