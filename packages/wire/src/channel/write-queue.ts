import type { Writable } from 'node:stream';

import { immediateWrite, type ImmediateWrite } from '../pipe/pipe-handle.js';
import type { OutgoingLine } from '../splice/splice.js';
import type { Slot } from '../pipe/line-slots.js';
import { lineSlots } from '../pipe/read-buffers.js';
import { Staging } from './staging.js';
import { atScopeEnd } from '../pipe/read-scope.js';

/** A line of this size or more is written at once, so that the peer reads it while mcpmux reads the next line. */
const LARGE_LINE_BYTES = 64 * 1024;
/** Short lines of this total size are also written at once. This is most of the bytes that a socket accepts at once. */
const MUCH_BYTES = 128 * 1024;

/** Limits of a {@link WriteQueue}, in bytes. */
export interface WriteQueueLimits {
  /** Above this size the queue is saturated, and its source should stop. */
  readonly highWatermarkBytes: number;
}

/** The events of a {@link WriteQueue}, for its owner. */
export interface WriteQueueEvents {
  /**
   * Called when a saturated queue has drained. Then at most its last line is still queued, and no more bytes than the
   * high watermark, or the stream has accepted everything.
   */
  drained(): void;
  /** Called when the peer has not accepted everything at once. */
  waiting?(): void;
  /** Called when the peer has accepted some of the queued bytes. */
  taken?(): void;
}

/**
 * A queue of lines for a stream. All lines of one read scope are sent in one write. A large part of them is written to
 * a pipe before the scope ends.
 *
 * It never refuses a line, because a response must not be lost. Instead, {@link saturated} becomes true, and `drained`
 * is called later.
 */
export class WriteQueue {
  private readonly staging = new Staging();
  /** True from the time when the queue exceeds its high watermark until {@link WriteQueueEvents.drained}. */
  saturated = false;
  private lastLineBytes = 0;
  private isDead = false;
  /** True if the peer has not accepted some bytes, which are queued in the stream. */
  private isBehind = false;
  private readonly writeNow: ImmediateWrite | undefined;
  /** True if the end of the read scope has been requested. */
  private isDue = false;

  constructor(
    private readonly stream: Writable,
    private readonly limits: WriteQueueLimits,
    private readonly events: WriteQueueEvents,
  ) {
    this.writeNow = immediateWrite(stream);
    stream.on('close', () => {
      this.isDead = true;
      this.staging.clear();
    });
  }

  get queuedBytes(): number {
    const { length } = this.staging;
    return this.isBehind ? length + this.stream.writableLength : length;
  }

  push(line: OutgoingLine): void {
    if (this.isDead) return;
    if (!this.isDue) atScopeEnd(this.scopeEnded);
    this.isDue = true;
    const { staging } = this;
    const before = staging.length;
    if (Buffer.isBuffer(line) || 'writeTo' in line) staging.add(line);
    else for (const piece of line) staging.add(piece);
    this.lastLineBytes = staging.length - before;
    const isMuch = this.lastLineBytes >= LARGE_LINE_BYTES || staging.length >= MUCH_BYTES;
    // For a stream, this would cause more and smaller pieces. A line after queued lines would only be queued elsewhere.
    if (isMuch && this.writeNow !== undefined && !this.isBehind) this.flush();
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.saturated = true;
  }

  /**
   * Sends the queued lines and ends the stream. Resolves once all bytes have been accepted, or can no longer be
   * accepted.
   */
  async end(): Promise<void> {
    this.scopeEnded();
    if (this.isDead || this.stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.stream.once('close', resolve);
      this.stream.end(() => resolve());
    });
  }

  private readonly scopeEnded = (): void => {
    this.isDue = false;
    this.flush();
    const few = Math.min(this.lastLineBytes, this.limits.highWatermarkBytes);
    // Called at the end of the scope, because no sender expects it inside `push`. It is also called while the last line
    // is still queued, because the peer can then read a long line while the next one arrives. Several short lines are
    // read at once, so it is better to wait for all of them.
    if (this.saturated && this.stream.writable && this.queuedBytes <= few) this.drained();
  };

  private flush(): void {
    const { staging, stream } = this;
    const { length } = staging;
    const canSend = length > 0 && !this.isDead && stream.writable;
    const taken = canSend ? (this.writeNow?.(staging.pieces()) ?? 0) : length;
    const retained: Slot[] = [];
    const rest = taken < length ? staging.rest(taken, (piece) => this.retain(piece, retained)) : [];
    // Cleared before any other call, because a stream may call back with the next line at once.
    staging.clear();
    if (!canSend) return;
    this.isBehind = rest.length > 0;
    if (this.isBehind) this.leave(rest, retained);
  }

  /** Passes the pieces that the peer did not accept at once to the stream. Some of the pieces are in slots. */
  private leave(rest: readonly Buffer[], retained: readonly Slot[]): void {
    const { stream } = this;
    const taken = (error?: Error | null): void => this.restTaken(retained, error);
    let isLittle = true;
    stream.cork();
    for (const [index, piece] of rest.entries()) {
      isLittle = stream.write(piece, index === rest.length - 1 ? taken : undefined);
    }
    stream.uncork();
    // The bytes that a pipe has not accepted wait for its peer, however few they are, and no drain event will follow.
    if (!isLittle || this.writeNow !== undefined) this.events.waiting?.();
    else this.drained();
  }

  /**
   * Called when a write has ended and its bytes are no longer needed. Node.js calls it for each write, even after the
   * stream is closed. Standard output then continues to write, because its descriptor stays open.
   */
  private restTaken(retained: readonly Slot[], error?: Error | null): void {
    const { stream } = this;
    for (const slot of retained) slot.release();
    if (error || this.isDead || stream.destroyed) return;
    if (stream.writableLength === 0) this.isBehind = false;
    this.events.taken?.();
    // The event is not emitted here, because Node.js calls back for many writes in turn, and an exception would end the
    // series.
    if (!this.saturated || this.isDue) return;
    this.isDue = true;
    atScopeEnd(this.scopeEnded);
  }

  private drained(): void {
    // Lines were staged while earlier lines were passed to the stream. The end of their scope is still to come.
    if (!this.saturated || this.isDead || this.staging.length > 0) return;
    this.saturated = false;
    this.events.drained();
  }

  /**
   * Retains the slot of a piece. A pipe needs the remaining bytes until it reports the end of the write. Other streams
   * may need them longer.
   */
  private retain(piece: Buffer, retained: Slot[]): boolean {
    const slot = this.writeNow && lineSlots()?.slotOf(piece);
    if (slot === undefined) return false;
    slot.retain();
    retained.push(slot);
    return true;
  }
}
