import type { Writable } from 'node:stream';

import { immediateWrite, type ImmediateWrite } from '../pipe/immediate-write.js';
import { isInPieces, type OutgoingLine } from '../splice/outgoing-line.js';
import { lineRoom } from '../pipe/read-buffers.js';
import type { Span } from '../json/span.js';
import { Staging } from './staging.js';
import { atScopeEnd } from '../pipe/read-scope.js';

/** A line from this size on leaves at once: the peer takes it while the next one is read. */
const LARGE_LINE_BYTES = 64 * 1024;
/** So much of a turn, too: most of what a socket takes at once. */
const MUCH_BYTES = 128 * 1024;

/** Sizes of an {@link Outbox}, in bytes. */
export interface OutboxLimits {
  /** Above this the outbox is saturated and whoever feeds it should stop. */
  readonly highWatermarkBytes: number;
}

/** What the owner of an {@link Outbox} is told. */
export interface OutboxEvents {
  /**
   * After the outbox had been saturated, no more waits than its last line, and no more than its watermark; or the stream has
   * taken all of it and says that it is little.
   */
  drained(): void;
  /** The peer has not taken at once what it was sent. */
  waiting?(): void;
  /** The peer has taken something of what was waiting for it. */
  taken?(): void;
}

/**
 * Lines on their way into a stream. All lines of one turn of the event loop leave in one write, but into a pipe much of them
 * does not wait for the rest.
 *
 * It never refuses a line (a response must not be lost); it says {@link saturated} instead, and `drained` later.
 */
export class Outbox {
  private readonly staging = new Staging();
  private isSaturated = false;
  private lastLineBytes = 0;
  private isDead = false;
  /** The peer has left something: it waits in the stream. */
  private isBehind = false;
  private readonly writeNow: ImmediateWrite | undefined;
  /** The end of the turn has been asked for. */
  private isDue = false;

  constructor(
    private readonly stream: Writable,
    private readonly limits: OutboxLimits,
    private readonly events: OutboxEvents,
  ) {
    this.writeNow = immediateWrite(stream);
    stream.on('close', () => this.die());
  }

  get queuedBytes(): number {
    const { length } = this.staging;
    return this.isBehind ? length + this.stream.writableLength : length;
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  push(line: OutgoingLine): void {
    if (this.isDead) return;
    this.askForTurnEnd();
    const { staging } = this;
    const before = staging.length;
    if (isInPieces(line)) for (const piece of line) staging.add(piece);
    else staging.add(line);
    this.lastLineBytes = staging.length - before;
    const isMuch = this.lastLineBytes >= LARGE_LINE_BYTES || staging.length >= MUCH_BYTES;
    // A stream would be given more and smaller pieces, and what waits behind others only waits elsewhere.
    if (isMuch && this.writeNow !== undefined && !this.isBehind) this.flush();
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.isSaturated = true;
  }

  /** Sends what is queued and ends the stream. Resolves when all was taken, or never can be. */
  async end(): Promise<void> {
    this.turnEnded();
    if (this.isDead || this.stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.stream.once('close', resolve);
      this.stream.end(() => resolve());
    });
  }

  private askForTurnEnd(): void {
    if (this.isDue) return;
    this.isDue = true;
    atScopeEnd(this.turnEnded);
  }

  private readonly turnEnded = (): void => {
    this.isDue = false;
    this.flush();
    const few = Math.min(this.lastLineBytes, this.limits.highWatermarkBytes);
    // Not told before the turn is over: nobody expects it who sends. And not only when nothing is left: a long line is to be
    // read by the peer while the next one comes. Of short ones several are read at once, so it pays to wait for all of them.
    if (this.stream.writable && this.queuedBytes <= few) this.drained();
  };

  private flush(): void {
    const { staging, stream } = this;
    const { length } = staging;
    const canSend = length > 0 && !this.isDead && stream.writable;
    const taken = canSend ? (this.writeNow?.(staging.pieces()) ?? 0) : length;
    const held: Span[] = [];
    const rest = taken < length ? staging.rest(taken, (piece) => this.hold(piece, held)) : [];
    // Before anything else is called: a stream may come back with the next line at once.
    staging.clear();
    if (!canSend) return;
    this.isBehind = rest.length > 0;
    if (this.isBehind) this.leave(rest, held);
  }

  /** Leaves to the stream what could not be sent at once, some of which is held. */
  private leave(rest: readonly Buffer[], held: readonly Span[]): void {
    const isLittle = writeAll(this.stream, rest, (error) => this.restTaken(held, error));
    // What a pipe has left waits for its peer, however little it is, and no drain event will follow.
    if (!isLittle || this.writeNow !== undefined) this.events.waiting?.();
    else this.drained();
  }

  /**
   * A write is over: also when the stream is closed each is told of, in turn, and not before its bytes are not needed any
   * more. Standard output goes on writing when it is closed: its descriptor stays open.
   */
  private restTaken(held: readonly Span[], error?: Error | null): void {
    const { stream } = this;
    for (const span of held) lineRoom()?.release(span);
    if (error || this.isDead || stream.destroyed) return;
    if (stream.writableLength === 0) this.isBehind = false;
    this.events.taken?.();
    // Not told here: Node.js calls back for many writes in turn, and one that throws would be the last.
    if (this.isSaturated) this.askForTurnEnd();
  }

  private drained(): void {
    // Lines that came while others were left to the stream: the end of their turn is still to come.
    if (!this.isSaturated || this.isDead || this.staging.length > 0) return;
    this.isSaturated = false;
    this.events.drained();
  }

  /** A pipe needs what is left to it until it has told that the write is over; other streams may need it longer. */
  private hold(piece: Buffer, held: Span[]): boolean {
    const span = this.writeNow && lineRoom()?.hold(piece);
    if (span !== undefined) held.push(span);
    return span !== undefined;
  }

  private die(): void {
    this.isDead = true;
    this.staging.clear();
  }
}

function writeAll(
  stream: Writable,
  pieces: readonly Buffer[],
  taken: (error?: Error | null) => void,
): boolean {
  stream.cork();
  let isLittle = true;
  for (const [index, piece] of pieces.entries()) {
    isLittle = index < pieces.length - 1 ? stream.write(piece) : stream.write(piece, taken);
  }
  stream.uncork();
  return isLittle;
}
