import type { Mux, MuxEventMap } from '@mcpmux/core';

import { parsePosition, type FeedPosition } from './feed-position.js';
import { hasFailed, UNKNOWN_ENDING, type CallContent, type CallRecord } from './call-record.js';

interface StoredCall {
  record: CallRecord;
  /** The number of this record's last change, counted across all records. */
  changeNumber: number;
  content?: CallContent | undefined;
}

/** New calls, and changes to earlier ones, for one page. */
export interface ChangedCalls {
  readonly position: FeedPosition;
  readonly calls: readonly CallRecord[];
  /** The number of calls since the page's position that are counted but not listed. */
  readonly unlisted: number;
  /**
   * True if some changes since the page's position are no longer stored, so that the page must read all records again.
   */
  readonly isLost: boolean;
}

const MAX_CALLS = 500;
/** The number of recent failed calls that stay listed, even if many later calls succeed. */
const MAX_FAILED_CALLS = 100;
const MAX_CONTENT_CHARACTERS = 4 * 1024 * 1024;
/** The maximum number of records that one page receives at a time. */
const MAX_REPORTED_CALLS = 100;
/** How long the feed continues to listen without a page, in milliseconds, so that a reloaded page misses no call. */
const LINGER_MS = 60_000;

/**
 * A mux's latest calls, and its latest failed calls. The feed listens while a page is open, and for a minute after the
 * last page has closed.
 */
export class CallFeed {
  private readonly calls = new Map<number, StoredCall>();
  private changeCount = 0;
  private contentCharacters = 0;
  private openPageCount = 0;
  private removeCallbacks: readonly (() => void)[] = [];
  private lingerTimer: NodeJS.Timeout | undefined;
  /** The number of calls that are counted but not listed. */
  private unlisted = 0;
  /** The number of the last change to a dropped record, or of the last change before the feed stopped listening. */
  private lastLoss = 0;
  /** The number of the latest call. Calls from earlier processes have negative numbers. */
  private latestCall = Number.NEGATIVE_INFINITY;
  /** The numbers of the latest failed calls. */
  private failedCalls: readonly number[] = [];

  constructor(
    private readonly mux: Pick<Mux, 'on'>,
    private readonly now: () => number,
    private readonly recentCalls?: () => readonly CallRecord[],
  ) {}

  /** Registers a page. Returns a function that the page calls when it closes. */
  openPage(): () => void {
    this.openPageCount += 1;
    clearTimeout(this.lingerTimer);
    if (this.removeCallbacks.length === 0) {
      this.catchUp(this.recentCalls?.() ?? []);
      this.removeCallbacks = this.listen();
    }
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.openPageCount -= 1;
      if (this.openPageCount === 0)
        this.lingerTimer = setTimeout(() => this.stopListening(), LINGER_MS).unref();
    };
  }

  /**
   * Returns the records that have changed since a position. If there are too many, returns the ones that changed first.
   */
  changesSince({ change, unlisted, loss }: FeedPosition): ChangedCalls {
    const isLost = this.lastLoss > Math.max(change, loss);
    const changedCalls = this.storedCallsSince(isLost ? 0 : change);
    const reportedCalls = changedCalls.slice(0, MAX_REPORTED_CALLS);
    const isComplete = reportedCalls.length === changedCalls.length;
    return {
      position: {
        change: isComplete ? this.changeCount : (reportedCalls.at(-1)?.changeNumber ?? change),
        unlisted: this.unlisted,
        loss: this.lastLoss,
      },
      calls: reportedCalls.map(({ record }) => record),
      unlisted: this.unlisted - unlisted,
      isLost,
    };
  }

  private storedCallsSince(change: number): readonly StoredCall[] {
    if (change >= this.changeCount) return [];
    const changedCalls: StoredCall[] = [];
    for (const stored of this.calls.values()) if (stored.changeNumber > change) changedCalls.push(stored);
    return changedCalls.toSorted((one, other) => one.changeNumber - other.changeNumber);
  }

  /** The position from which a newly opened page begins to read. */
  get startPosition(): FeedPosition {
    return { change: 0, unlisted: this.unlisted, loss: this.lastLoss };
  }

  /** Returns the position that a page has sent. If this feed has not reached it yet, returns the start position. */
  positionOf(text: string): FeedPosition {
    const position = parsePosition(text);
    const isValidPosition =
      position && position.change <= this.changeCount && position.unlisted <= this.unlisted;
    return isValidPosition ? position : this.startPosition;
  }

  contentOf(call: number): CallContent | undefined {
    return this.calls.get(call)?.content;
  }

  /** Stops listening. From then on, the feed does not learn when the calls in flight end. */
  private stopListening(): void {
    for (const stop of this.removeCallbacks) stop();
    this.removeCallbacks = [];
    for (const stored of this.calls.values())
      if (stored.record.ending === undefined) this.changeCall(stored, { ending: UNKNOWN_ENDING });
    if (this.recentCalls !== undefined) return;
    // A page that reconnects later must know that it has missed the calls in between.
    this.changeCount += 1;
    this.lastLoss = this.changeCount;
  }

  /** Lists the calls that began while no page was open, and records the ends of the calls that were in flight. */
  private catchUp(recentCalls: readonly CallRecord[]): void {
    const { latestCall } = this;
    const laterCalls = recentCalls.filter(({ call }) => call > latestCall);
    for (const record of recentCalls) {
      const stored = this.calls.get(record.call);
      if (stored?.record.ending === UNKNOWN_ENDING && record.ending !== undefined)
        this.endCall(stored, { ...record, hasContent: stored.record.hasContent });
    }
    for (const record of laterCalls) {
      const stored = this.addCall(record);
      if (record.ending !== undefined) this.endCall(stored, {});
    }
    const ownCalls = laterCalls.filter(({ call }) => call > 0);
    this.unlisted += Math.max(0, this.latestCall) - Math.max(0, latestCall) - ownCalls.length;
  }

  private listen(): readonly (() => void)[] {
    const details = { details: true };
    return [
      this.mux.on('call:start', (event) => this.onStart(event), details),
      this.mux.on('call:end', (event) => this.onEnd(event), details),
    ];
  }

  /** Lists a call if its event contains the session. The mux omits some sessions if many calls run concurrently. */
  private onStart(event: MuxEventMap['call:start']): void {
    this.latestCall = event.call;
    if (event.session === undefined) {
      this.unlisted += 1;
      return;
    }
    const { call, server, layer, tool, client, session, bytes, arguments: content, argumentsBytes } = event;
    const stored = this.addCall({
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
    this.contentCharacters += content.length;
    this.enforceLimits();
  }

  private addCall(record: CallRecord): StoredCall {
    this.changeCount += 1;
    const stored: StoredCall = { record, changeNumber: this.changeCount };
    this.latestCall = Math.max(this.latestCall, record.call);
    this.calls.set(record.call, stored);
    this.enforceLimits();
    return stored;
  }

  private onEnd({ call, ms, ending, problem, bytes, result, resultBytes }: MuxEventMap['call:end']): void {
    const stored = this.calls.get(call);
    if (stored === undefined) return;
    this.endCall(stored, {
      ms,
      ending,
      ...(problem !== undefined && { problem }),
      ...(bytes !== undefined && { received: bytes }),
    });
    if (result === undefined || stored.content === undefined) return;
    stored.content = { ...stored.content, result, ...(resultBytes !== undefined && { resultBytes }) };
    this.contentCharacters += result.length;
    this.enforceLimits();
  }

  private endCall(stored: StoredCall, members: Partial<CallRecord>): void {
    this.changeCall(stored, members);
    const { record } = stored;
    if (hasFailed(record)) this.failedCalls = [...this.failedCalls, record.call].slice(-MAX_FAILED_CALLS);
  }

  private changeCall(stored: StoredCall, members: Partial<CallRecord>): void {
    this.changeCount += 1;
    stored.changeNumber = this.changeCount;
    stored.record = { ...stored.record, ...members };
  }

  private enforceLimits(): void {
    for (const [call, stored] of this.calls) {
      const hasTooManyCalls = this.calls.size > MAX_CALLS;
      const hasTooMuchContent = this.contentCharacters > MAX_CONTENT_CHARACTERS;
      if (!hasTooManyCalls && !hasTooMuchContent) return;
      const isDropped = hasTooManyCalls && !this.failedCalls.includes(call);
      if (isDropped || hasTooMuchContent) this.forgetContent(stored);
      if (!isDropped) continue;
      this.calls.delete(call);
      this.lastLoss = Math.max(this.lastLoss, stored.changeNumber);
    }
  }

  private forgetContent(stored: StoredCall): void {
    const { content } = stored;
    if (content === undefined) return;
    this.contentCharacters -= content.arguments.length + (content.result?.length ?? 0);
    stored.content = undefined;
    stored.record = { ...stored.record, hasContent: false };
  }
}
