import type { Mux, MuxEventMap } from '@mcpmux/core';

import { positionIn, type FeedPosition } from './feed-position.js';
import { hasFailed, UNKNOWN, type CallContent, type CallRecord } from './call-record.js';

interface StoredCall {
  record: CallRecord;
  /** The number of the last change to this record, counted over all records. */
  change: number;
  content?: CallContent | undefined;
}

/** The new calls and changes for one page. */
export interface ChangedCalls {
  readonly position: FeedPosition;
  readonly calls: readonly CallRecord[];
  /** The number of calls since the last position that are counted but not listed. */
  readonly unlisted: number;
  /** True if changes since the last position are no longer stored. The page then gets all records again. */
  readonly isLost: boolean;
}

const MAX_CALLS = 500;
/** The last failed calls remain while later calls succeed. */
const MAX_FAILED = 100;
const MAX_CONTENT_CHARACTERS = 4 * 1024 * 1024;
/** The maximum number of records that one page gets at a time. */
const MAX_AT_ONCE = 100;
/**
 * The feed continues to listen for this time without a page, so that a page that is reloaded or disconnected misses no
 * call.
 */
const LINGER_MS = 60_000;

/**
 * The latest calls of a mux, and its last failed calls. The feed listens while a page is open, and for a minute after
 * the last page has closed.
 */
export class CallFeed {
  private readonly calls = new Map<number, StoredCall>();
  private changes = 0;
  private characters = 0;
  private readers = 0;
  private stops: readonly (() => void)[] = [];
  private lingerTimer: NodeJS.Timeout | undefined;
  /** The number of calls that are counted but not listed. */
  private unlisted = 0;
  /**
   * The last change to a record that is no longer stored, or the last change before a period in which the feed did not
   * listen.
   */
  private lastLoss = 0;
  /** The number of the last call. Calls of earlier processes have negative numbers. */
  private latest = Number.NEGATIVE_INFINITY;
  /** The numbers of the last failed calls. */
  private failed: readonly number[] = [];

  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly now: () => number,
    private readonly recent?: () => readonly CallRecord[],
  ) {}

  /** Registers a page. Returns a function that the page calls when it closes. */
  open(): () => void {
    this.readers += 1;
    clearTimeout(this.lingerTimer);
    if (this.stops.length === 0) {
      this.catchUp(this.recent?.() ?? []);
      this.stops = this.listen();
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.readers -= 1;
      if (this.readers === 0) this.lingerTimer = setTimeout(() => this.stopListening(), LINGER_MS).unref();
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

  private changedSince(change: number): readonly StoredCall[] {
    if (change >= this.changes) return [];
    const changed: StoredCall[] = [];
    for (const stored of this.calls.values()) if (stored.change > change) changed.push(stored);
    return changed.toSorted((one, other) => one.change - other.change);
  }

  /** The position from which a newly opened page reads. */
  get beginning(): FeedPosition {
    return { change: 0, unlisted: this.unlisted, loss: this.lastLoss };
  }

  /** Returns the position of a page, or the beginning for a position that this feed never had. */
  positionOf(place: string): FeedPosition {
    const position = positionIn(place);
    const isKnown = position && position.change <= this.changes && position.unlisted <= this.unlisted;
    return isKnown ? position : this.beginning;
  }

  contentOf(call: number): CallContent | undefined {
    return this.calls.get(call)?.content;
  }

  /** Stops listening. The feed then misses the ends of the calls in flight. */
  private stopListening(): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    for (const stored of this.calls.values())
      if (stored.record.ending === undefined) this.change(stored, { ending: UNKNOWN });
    if (this.recent !== undefined) return;
    // A page that reconnects later has missed the calls in between.
    this.changes += 1;
    this.lastLoss = this.changes;
  }

  /** Lists the calls that began while no page was open, and the ends of the calls that were in flight then. */
  private catchUp(recent: readonly CallRecord[]): void {
    const { latest } = this;
    const later = recent.filter(({ call }) => call > latest);
    for (const record of recent) {
      const stored = this.calls.get(record.call);
      if (stored?.record.ending === UNKNOWN && record.ending !== undefined)
        this.end(stored, { ...record, hasContent: stored.record.hasContent });
    }
    for (const record of later) {
      const stored = this.begin(record);
      if (record.ending !== undefined) this.end(stored, {});
    }
    const own = later.filter(({ call }) => call > 0);
    this.unlisted += Math.max(0, this.latest) - Math.max(0, latest) - own.length;
  }

  private listen(): readonly (() => void)[] {
    const details = { details: true };
    return [
      this.mux.on('call:start', (event) => this.onStart(event), details),
      this.mux.on('call:end', (event) => this.onEnd(event), details),
    ];
  }

  /** Lists a call. If many calls run at the same time, only the calls whose session the mux reports are listed. */
  private onStart(event: MuxEventMap['call:start']): void {
    this.latest = event.call;
    if (event.session === undefined) {
      this.unlisted += 1;
      return;
    }
    const { call, server, layer, tool, client, session, bytes, arguments: content, argumentsBytes } = event;
    const stored = this.begin({
      call,
      time: this.now(),
      server,
      ...(layer !== undefined && { layer }),
      tool,
      ...(client !== undefined && { client }),
      session,
      ...(bytes !== undefined && { sent: bytes }),
      hasContent: content !== undefined,
    });
    if (content === undefined) return;
    stored.content = { arguments: content, ...(argumentsBytes !== undefined && { argumentsBytes }) };
    this.characters += content.length;
    this.enforceLimits();
  }

  private begin(record: CallRecord): StoredCall {
    this.changes += 1;
    const stored: StoredCall = { record, change: this.changes };
    this.latest = Math.max(this.latest, record.call);
    this.calls.set(record.call, stored);
    this.enforceLimits();
    return stored;
  }

  private onEnd({ call, ms, ending, problem, bytes, result, resultBytes }: MuxEventMap['call:end']): void {
    const stored = this.calls.get(call);
    if (stored === undefined) return;
    this.end(stored, {
      ms,
      ending,
      ...(problem !== undefined && { problem }),
      ...(bytes !== undefined && { received: bytes }),
    });
    if (result === undefined || stored.content === undefined) return;
    stored.content = { ...stored.content, result, ...(resultBytes !== undefined && { resultBytes }) };
    this.characters += result.length;
    this.enforceLimits();
  }

  private end(stored: StoredCall, members: Partial<CallRecord>): void {
    this.change(stored, members);
    const { record } = stored;
    if (hasFailed(record)) this.failed = [...this.failed, record.call].slice(-MAX_FAILED);
  }

  private change(stored: StoredCall, members: Partial<CallRecord>): void {
    this.changes += 1;
    stored.change = this.changes;
    stored.record = { ...stored.record, ...members };
  }

  private enforceLimits(): void {
    for (const [call, stored] of this.calls) {
      const hasTooManyCalls = this.calls.size > MAX_CALLS;
      const hasTooMuchContent = this.characters > MAX_CONTENT_CHARACTERS;
      if (!hasTooManyCalls && !hasTooMuchContent) return;
      const isDropped = hasTooManyCalls && !this.failed.includes(call);
      if (isDropped || hasTooMuchContent) this.forgetContent(stored);
      if (!isDropped) continue;
      this.calls.delete(call);
      this.lastLoss = Math.max(this.lastLoss, stored.change);
    }
  }

  private forgetContent(stored: StoredCall): void {
    const { content } = stored;
    if (content === undefined) return;
    this.characters -= content.arguments.length + (content.result?.length ?? 0);
    stored.content = undefined;
    stored.record = { ...stored.record, hasContent: false };
  }
}
