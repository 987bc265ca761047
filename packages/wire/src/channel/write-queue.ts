import type { Writable } from 'node:stream';

import { immediateWrite, type ImmediateWrite } from '../pipe/immediate-write.js';
import type { OutgoingLine } from '../splice/outgoing-line.js';
import type { Slot } from '../pipe/line-slots.js';
import { lineSlots } from '../pipe/read-buffers.js';
import { Staging } from './staging.js';
import { atScopeEnd } from '../pipe/read-scope.js';

/** A line from this size on is written at once: the peer takes it while the next one is read. */
const LARGE_LINE_BYTES = 64 * 1024;
/** Short lines of this size in total are also written at once: most of the bytes that a socket accepts at once. */
const MUCH_BYTES = 128 * 1024;

/** Sizes of an {@link WriteQueue}, in bytes. */
export interface WriteQueueLimits {
  /** Above this the queue is saturated and its feeder should stop. */
  readonly highWatermarkBytes: number;
}

/** The events of a {@link WriteQueue}, for its owner. */
export interface WriteQueueEvents {
  /**
   * The queue was saturated and has drained: at most its last line, and no more than the high-water mark, is still waiting;
   * or the stream has taken all of it.
   */
  drained(): void;
  /** The peer has not taken everything at once. */
  waiting?(): void;
  /** The peer has taken some of the waiting bytes. */
  taken?(): void;
}

/**
 * Lines on their way into a stream. All lines of one read scope leave in one write; into a pipe a large part of them is
 * written before its end.
 *
 * It never refuses a line (a response must not be lost); it says {@link saturated} instead, and `drained` later.
 */
export class WriteQueue {
  private readonly staging = new Staging();
  /** True from the moment the queue exceeds its high watermark until it has {@link WriteQueueEvents.drained}. */
  saturated = false;
  private lastLineBytes = 0;
  private isDead = false;
  /** The peer has left some bytes: they wait in the stream. */
  private isBehind = false;
  private readonly writeNow: ImmediateWrite | undefined;
  /** The end of the read scope has been asked for. */
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
    // A stream would be given more and smaller pieces, and a line behind waiting ones would only wait elsewhere.
    if (isMuch && this.writeNow !== undefined && !this.isBehind) this.flush();
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.saturated = true;
  }

  /** Sends the queued lines and ends the stream. Resolves when all was taken, or never can be. */
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
    // Told at the scope's end: no sender expects it inside of push. And not only when nothing is left: the peer reads a long
    // line while the next one comes. Of short ones several are read at once, so it pays to wait for all of them.
    if (this.saturated && this.stream.writable && this.queuedBytes <= few) this.drained();
  };

  private flush(): void {
    const { staging, stream } = this;
    const { length } = staging;
    const canSend = length > 0 && !this.isDead && stream.writable;
    const taken = canSend ? (this.writeNow?.(staging.pieces()) ?? 0) : length;
    const retained: Slot[] = [];
    const rest = taken < length ? staging.rest(taken, (piece) => this.retain(piece, retained)) : [];
    // Before anything else is called: a stream may come back with the next line at once.
    staging.clear();
    if (!canSend) return;
    this.isBehind = rest.length > 0;
    if (this.isBehind) this.leave(rest, retained);
  }

  /** Leaves to the stream the pieces that the peer did not take at once, some of which stand in slots. */
  private leave(rest: readonly Buffer[], retained: readonly Slot[]): void {
    const { stream } = this;
    const taken = (error?: Error | null): void => this.restTaken(retained, error);
    let isLittle = true;
    stream.cork();
    for (const [index, piece] of rest.entries()) {
      isLittle = stream.write(piece, index === rest.length - 1 ? taken : undefined);
    }
    stream.uncork();
    // The bytes that a pipe has left wait for its peer, however few they are, and no drain event will follow.
    if (!isLittle || this.writeNow !== undefined) this.events.waiting?.();
    else this.drained();
  }

  /**
   * A write is over, and its bytes are not needed any more. Node.js tells it of each write, also when the stream is closed:
   * standard output goes on writing then, as its descriptor stays open.
   */
  private restTaken(retained: readonly Slot[], error?: Error | null): void {
    const { stream } = this;
    for (const slot of retained) slot.release();
    if (error || this.isDead || stream.destroyed) return;
    if (stream.writableLength === 0) this.isBehind = false;
    this.events.taken?.();
    // Not told here: Node.js calls back for many writes in turn, and one that throws would be the last.
    if (!this.saturated || this.isDue) return;
    this.isDue = true;
    atScopeEnd(this.scopeEnded);
  }

  private drained(): void {
    // Lines that came while others were left to the stream: the end of their scope is still to come.
    if (!this.saturated || this.isDead || this.staging.length > 0) return;
    this.saturated = false;
    this.events.drained();
  }

  /** A pipe needs the bytes that are left to it until it tells that the write is over; other streams may need them longer. */
  private retain(piece: Buffer, retained: Slot[]): boolean {
    const slot = this.writeNow && lineSlots()?.slotOf(piece);
    if (slot === undefined) return false;
    slot.retain();
    retained.push(slot);
    return true;
  }
}
