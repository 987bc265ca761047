import type { Mux, MuxEventMap } from '@mcpmux/core';

/** A tool call, as the page lists it. */
export interface CallRecord {
  readonly call: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly server: string;
  /** The layer of the server. Absent for a server of all clients. */
  readonly layer?: string;
  readonly tool: string;
  readonly client?: string;
  readonly session?: number;
  /** The sizes of the request and the response. */
  readonly sent?: number;
  readonly received?: number;
  /** Absent while the call is in flight. */
  readonly ms?: number;
  /** The ending of the call. `unknown` if the feed stopped listening while the call was in flight. */
  readonly ending?: string;
  readonly problem?: string;
  /** True if the arguments of the call are stored. */
  readonly hasContent: boolean;
}

interface Stored {
  record: CallRecord;
  /** The number of this change, counted over all records. */
  change: number;
  content?: CallContent | undefined;
}

/** The content of a call, which the page requests by number. */
export interface CallContent {
  readonly arguments: string;
  /** The size of all arguments if `arguments` contains only their beginning. */
  readonly argumentsBytes?: number;
  /** Absent while the call is in flight. */
  readonly result?: string;
  readonly resultBytes?: number;
}

/** The calls that one page has already received. */
export interface FeedPosition {
  readonly change: number;
  readonly unlisted: number;
  /** The last loss that the page knows about, as a number of a change. */
  readonly loss: number;
}

/** The new calls and changes for one page. */
export interface ChangedCalls {
  readonly position: FeedPosition;
  readonly calls: readonly CallRecord[];
  /** Calls since the last position that are counted but not listed. */
  readonly unlisted: number;
  /** True if changes since the last position are no longer stored. The page then gets all records again. */
  readonly isLost: boolean;
}

const MAX_CALLS = 500;
const MAX_CONTENT_CHARACTERS = 4 * 1024 * 1024;
/** The maximum number of records that one page gets at a time. */
const MAX_AT_ONCE = 100;
/**
 * The feed continues to listen for this time without a page, so that a page that is reloaded or disconnected misses no
 * call.
 */
const LINGER_MS = 60_000;
/** The outcome of a call that was in flight when the feed stopped listening. */
const UNKNOWN = 'unknown';

const PLACE = /^(\d+)\.(\d+)\.(\d+)$/;

/** Returns a position as the page stores it and sends it back. */
export function placeOf({ change, unlisted, loss }: FeedPosition): string {
  return `${change}.${unlisted}.${loss}`;
}

/**
 * The latest calls of a mux. The feed listens while a page is open, and for a minute after the last page has closed.
 */
export class CallFeed {
  private readonly calls = new Map<number, Stored>();
  private changes = 0;
  private characters = 0;
  private readers = 0;
  private stops: readonly (() => void)[] = [];
  private lingering: NodeJS.Timeout | undefined;
  /** Calls that are counted but not listed. */
  private unlisted = 0;
  /**
   * The last change of a record that is no longer stored, or the last change before a period in which the feed did not
   * listen.
   */
  private lastLoss = 0;

  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly now: () => number,
  ) {}

  /** Registers a page. Returns a function that the page calls when it closes. */
  open(): () => void {
    this.readers += 1;
    clearTimeout(this.lingering);
    if (this.stops.length === 0) this.stops = this.listen();
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.readers -= 1;
      if (this.readers === 0) this.lingering = setTimeout(() => this.rest(), LINGER_MS).unref();
    };
  }

  /**
   * Returns the records that have changed since an earlier position. If there are many, returns those with the oldest
   * changes.
   */
  since({ change, unlisted, loss }: FeedPosition): ChangedCalls {
    const isLost = this.lastLoss > Math.max(change, loss);
    const changed = this.changedSince(isLost ? 0 : change);
    const reported = changed.slice(0, MAX_AT_ONCE);
    const isAll = reported.length === changed.length;
    return {
      position: {
        change: isAll ? this.changes : (reported.at(-1)?.change ?? change),
        unlisted: this.unlisted,
        loss: this.lastLoss,
      },
      calls: reported.map(({ record }) => record),
      unlisted: this.unlisted - unlisted,
      isLost,
    };
  }

  private changedSince(change: number): readonly Stored[] {
    if (change >= this.changes) return [];
    const changed: Stored[] = [];
    for (const stored of this.calls.values()) if (stored.change > change) changed.push(stored);
    return changed.toSorted((one, other) => one.change - other.change);
  }

  /** The position from which a newly opened page reads. */
  get beginning(): FeedPosition {
    return { change: 0, unlisted: this.unlisted, loss: this.lastLoss };
  }

  /** Returns the position that {@link placeOf} wrote, or the beginning for any other text. */
  positionOf(place: string): FeedPosition {
    const [change, unlisted, loss] = (PLACE.exec(place) ?? []).slice(1).map(Number);
    if (change === undefined || unlisted === undefined || loss === undefined) return this.beginning;
    return change > this.changes || unlisted > this.unlisted ? this.beginning : { change, unlisted, loss };
  }

  contentOf(call: number): CallContent | undefined {
    return this.calls.get(call)?.content;
  }

  /** Stops listening. The feed will miss the ends of the calls in flight. */
  private rest(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    for (const stored of this.calls.values())
      if (stored.record.ending === undefined) this.change(stored, { ending: UNKNOWN });
    // A page that reconnects later has missed the calls in between.
    this.changes += 1;
    this.lastLoss = this.changes;
  }

  private listen(): readonly (() => void)[] {
    const details = { details: true };
    return [
      this.mux.on('call:start', (event) => this.began(event), details),
      this.mux.on('call:end', (event) => this.ended(event), details),
    ];
  }

  /** Lists a call. If many calls run at the same time, only the calls whose session the mux reports are listed. */
  private began(event: MuxEventMap['call:start']): void {
    if (event.session === undefined) {
      this.unlisted += 1;
      return;
    }
    const { call, server, layer, tool, client, session, bytes, arguments: content, argumentsBytes } = event;
    this.changes += 1;
    const record: CallRecord = {
      call,
      time: this.now(),
      server,
      ...(layer !== undefined && { layer }),
      tool,
      ...(client !== undefined && { client }),
      session,
      ...(bytes !== undefined && { sent: bytes }),
      hasContent: content !== undefined,
    };
    const stored: Stored = { record, change: this.changes };
    if (content !== undefined) {
      stored.content = { arguments: content, ...(argumentsBytes !== undefined && { argumentsBytes }) };
      this.characters += content.length;
    }
    this.calls.set(call, stored);
    this.bound();
  }

  private ended({ call, ms, ending, problem, bytes, result, resultBytes }: MuxEventMap['call:end']): void {
    const stored = this.calls.get(call);
    if (stored === undefined) return;
    this.change(stored, {
      ms,
      ending,
      ...(problem !== undefined && { problem }),
      ...(bytes !== undefined && { received: bytes }),
    });
    if (result === undefined || stored.content === undefined) return;
    stored.content = { ...stored.content, result, ...(resultBytes !== undefined && { resultBytes }) };
    this.characters += result.length;
    this.bound();
  }

  private change(stored: Stored, members: Partial<CallRecord>): void {
    this.changes += 1;
    stored.change = this.changes;
    stored.record = { ...stored.record, ...members };
  }

  private bound(): void {
    for (const [call, stored] of this.calls) {
      const isTooMany = this.calls.size > MAX_CALLS;
      if (!isTooMany && this.characters <= MAX_CONTENT_CHARACTERS) return;
      this.forgetContent(stored);
      if (!isTooMany) continue;
      this.calls.delete(call);
      this.lastLoss = Math.max(this.lastLoss, stored.change);
    }
  }

  private forgetContent(stored: Stored): void {
    const { content } = stored;
    if (content === undefined) return;
    this.characters -= content.arguments.length + (content.result?.length ?? 0);
    stored.content = undefined;
    stored.record = { ...stored.record, hasContent: false };
  }
}
