import type { Writable } from 'node:stream';

import { createImmediateWrite, type ImmediateWrite } from '../pipe/pipe-handle.js';
import type { OutgoingLine } from '../splice/splice.js';
import type { Slot } from '../pipe/line-slots.js';
import { lineSlots } from '../pipe/read-buffers.js';
import { Staging } from './staging.js';
import { runAtScopeEnd } from '../pipe/read-scope.js';

/**
 * A line of at least this many bytes is written at once, so that the peer reads it while mcpmux reads the next line.
 */
const LARGE_LINE_BYTES = 64 * 1024;
/**
 * When the queued short lines reach this many bytes, they are written at once. A socket accepts little more per write.
 */
const LARGE_TOTAL_BYTES = 128 * 1024;

/** Limits of a {@link WriteQueue}, in bytes. */
export interface WriteQueueLimits {
  /** Above this size, the queue is saturated, and whatever fills it should pause. */
  readonly highWatermarkBytes: number;
}

/** The events of a {@link WriteQueue}, for its owner. */
export interface WriteQueueEvents {
  /**
   * Called when a saturated queue has drained: either the stream has accepted everything, or only the last line is
   * still queued and does not exceed the high watermark.
   */
  drained(): void;
  /** Called when the peer has accepted only some of the bytes written, or none. */
  waiting?(): void;
  /** Called when the peer has accepted some of the queued bytes. */
  accepted?(): void;
}

/**
 * A queue of lines for a stream. All lines of one read scope are sent in one write, except that large amounts are
 * written to a pipe before the scope ends.
 *
 * The queue never rejects a line, because a response must not be lost. Instead, {@link saturated} becomes true, and
 * `drained` is called later.
 */
export class WriteQueue {
  private readonly stagedLines = new Staging();
  /** True after the queue has exceeded its high watermark, until {@link WriteQueueEvents.drained} is called. */
  saturated = false;
  private lastLineBytes = 0;
  private isClosed = false;
  /** True if the stream contains bytes that the peer has not accepted. */
  private hasBacklog = false;
  private readonly writeNow: ImmediateWrite | undefined;
  /** True if a flush is scheduled for the end of the read scope. */
  private isFlushScheduled = false;

  constructor(
    private readonly stream: Writable,
    private readonly limits: WriteQueueLimits,
    private readonly events: WriteQueueEvents,
  ) {
    this.writeNow = createImmediateWrite(stream);
    stream.on('close', () => {
      this.isClosed = true;
      this.stagedLines.clear();
    });
  }

  get queuedBytes(): number {
    const { length } = this.stagedLines;
    return this.hasBacklog ? length + this.stream.writableLength : length;
  }

  push(line: OutgoingLine): void {
    if (this.isClosed) return;
    if (!this.isFlushScheduled) runAtScopeEnd(this.flushAtScopeEnd);
    this.isFlushScheduled = true;
    const { stagedLines } = this;
    const previousLength = stagedLines.length;
    if (Buffer.isBuffer(line) || 'writeTo' in line) stagedLines.add(line);
    else for (const piece of line) stagedLines.add(piece);
    this.lastLineBytes = stagedLines.length - previousLength;
    const isLarge = this.lastLineBytes >= LARGE_LINE_BYTES || stagedLines.length >= LARGE_TOTAL_BYTES;
    // Unless the stream is a pipe, an early flush would cause more and smaller writes. While bytes are still queued in
    // the stream, it would have no effect.
    if (isLarge && this.writeNow !== undefined && !this.hasBacklog) this.flush();
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.saturated = true;
  }

  /**
   * Sends the queued lines and ends the stream. Resolves once all bytes have been accepted or the stream has closed.
   */
  async end(): Promise<void> {
    this.flushAtScopeEnd();
    if (this.isClosed || this.stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.stream.once('close', resolve);
      this.stream.end(() => resolve());
    });
  }

  private readonly flushAtScopeEnd = (): void => {
    this.isFlushScheduled = false;
    this.flush();
    const maxQueuedBytes = Math.min(this.lastLineBytes, this.limits.highWatermarkBytes);
    // `drained` is called at the end of the scope, because no caller of `push` expects it inside that call. The last
    // line may still be queued, so that the peer can read a long line while the next one arrives. Short lines are read
    // several at a time, so the queue waits until all of them have been accepted.
    if (this.saturated && this.stream.writable && this.queuedBytes <= maxQueuedBytes) this.reportDrained();
  };

  private flush(): void {
    const { stagedLines, stream } = this;
    const { length } = stagedLines;
    const canSend = length > 0 && !this.isClosed && stream.writable;
    const acceptedBytes = canSend ? (this.writeNow?.(stagedLines.pieces()) ?? 0) : length;
    const retainedSlots: Slot[] = [];
    const remainingPieces =
      acceptedBytes < length
        ? stagedLines.remainingPieces(acceptedBytes, (piece) => this.retainSlot(piece, retainedSlots))
        : [];
    // Cleared first, because a stream may synchronously call back and add the next line.
    stagedLines.clear();
    if (!canSend) return;
    this.hasBacklog = remainingPieces.length > 0;
    if (this.hasBacklog) this.passToStream(remainingPieces, retainedSlots);
  }

  /** Passes the pieces that the peer has not accepted to the stream. Some of them are in slots. */
  private passToStream(remainingPieces: readonly Buffer[], retainedSlots: readonly Slot[]): void {
    const { stream } = this;
    const onWritten = (error?: Error | null): void => this.handleWriteEnd(retainedSlots, error);
    let hasRoom = true;
    stream.cork();
    for (const [index, piece] of remainingPieces.entries()) {
      hasRoom = stream.write(piece, index === remainingPieces.length - 1 ? onWritten : undefined);
    }
    stream.uncork();
    // Bytes that a pipe did not accept wait for the peer, even if they are too few to cause a `drain` event.
    if (!hasRoom || this.writeNow !== undefined) this.events.waiting?.();
    else this.reportDrained();
  }

  /**
   * Called when a write has ended and its bytes are no longer needed. Node.js calls it for each write, even after the
   * stream has closed. Standard output continues to write after closing, because its descriptor stays open.
   */
  private handleWriteEnd(retainedSlots: readonly Slot[], error?: Error | null): void {
    const { stream } = this;
    for (const slot of retainedSlots) slot.release();
    if (error || this.isClosed || stream.destroyed) return;
    if (stream.writableLength === 0) this.hasBacklog = false;
    this.events.accepted?.();
    // `drained` is not called here: if it threw, Node.js would skip the callbacks of the remaining writes.
    if (!this.saturated || this.isFlushScheduled) return;
    this.isFlushScheduled = true;
    runAtScopeEnd(this.flushAtScopeEnd);
  }

  private reportDrained(): void {
    // If lines were staged while earlier ones were being written, this method is called again at the end of the scope.
    if (!this.saturated || this.isClosed || this.stagedLines.length > 0) return;
    this.saturated = false;
    this.events.drained();
  }

  /**
   * Retains a piece's slot until a pipe has written the piece. Other streams get a copy, which they may need longer.
   */
  private retainSlot(piece: Buffer, retainedSlots: Slot[]): boolean {
    const slot = this.writeNow && lineSlots()?.findSlot(piece);
    if (slot === undefined) return false;
    slot.retain();
    retainedSlots.push(slot);
    return true;
  }
}
