import type { Readable, Writable } from 'node:stream';

import type { ChannelEnd, ChannelHandler, Channel } from './channel.js';
import { MessageFramer } from '../frame/message-framer.js';
import { WriteQueue, type WriteQueueLimits } from './write-queue.js';
import { inOnePiece, type OutgoingLine } from '../splice/splice.js';
import { PipeError } from './pipe-error.js';
import { lineSlotsFor } from '../pipe/read-buffers.js';
import { pipeHandleOf, readShared } from '../pipe/pipe-handle.js';
import { StallWatch, type StallLimit } from './stall-watch.js';
import { inReadScope } from '../pipe/read-scope.js';

/**
 * The maximum number of lines from a peer in one turn of the event loop, so that timers, signals and other peers can
 * run in between.
 */
export const LINES_PER_TURN = 256;

/**
 * A pair of byte streams. `input` transfers the peer's lines to mcpmux, `output` transfers mcpmux's lines to the peer.
 */
export interface StreamPair {
  readonly input: Readable;
  readonly output: Writable;
  /** The first bytes are delivered at once. Later bytes are delivered when this promise has settled. */
  readonly heldUntil?: Promise<unknown>;
}

/** Limits of a {@link StreamChannel} in bytes, and other options. */
export interface StreamChannelLimits extends WriteQueueLimits {
  /** Maximum length of a line from the peer, in bytes. */
  readonly maxLineBytes: number;
  /** A line longer than this, in bytes, ends the channel. If absent, such a line is discarded to its end. */
  readonly maxEndlessLineBytes?: number;
  /** True if lines from the peer are borrowed ({@link LineFramerOptions}). */
  readonly borrowsLines?: boolean;
  /** The time that the peer may leave sent bytes unread. No limit if absent. */
  readonly stall?: StallLimit;
}

/**
 * JSON messages over byte streams, for either side of the MCP stdio transport.
 *
 * Messages are lines. If the first message of the peer has a `Content-Length` header, messages to the peer have such
 * headers too.
 */
export class StreamChannel implements Channel {
  private readonly queue: WriteQueue;
  private readonly stallWatch: StallWatch | undefined;
  private framer: MessageFramer | undefined;
  private handler: ChannelHandler | undefined;
  private outcome: ChannelEnd | undefined;
  /**
   * Bytes that have arrived but are not delivered yet, because one read scope delivers at most `LINES_PER_TURN` lines.
   */
  private rest: Buffer | undefined;
  private isPaused = false;
  private isHeld = false;
  /** True if all further input is ignored. */
  private isDeaf = false;
  private sendsHeaders: boolean | undefined;

  constructor(
    private readonly streams: StreamPair,
    private readonly limits: StreamChannelLimits,
  ) {
    const { input, output } = streams;
    const stallWatch =
      limits.stall && new StallWatch(output, limits.stall, (problem) => this.failed('output', problem));
    this.stallWatch = stallWatch;
    this.queue = new WriteQueue(output, limits, {
      drained: () => this.handler?.drained(),
      waiting: () => stallWatch?.begin(),
      taken: () => stallWatch?.taken(),
    });
    // Without a listener, a broken pipe would be an uncaught exception, even before or after the lifetime of the
    // channel.
    output.on('error', (error) => this.failed('output', error.message, error));
    input.on('error', (error) => {
      this.takeAllOfRest();
      this.failed('input', error.message, error);
    });
  }

  open(handler: ChannelHandler): void {
    const { streams, limits } = this;
    const maxRunawayBytes = limits.maxEndlessLineBytes ?? Infinity;
    this.handler = handler;
    const release = (): void => {
      this.isHeld = false;
      if (!this.isPaused) this.resume();
    };
    this.isHeld = streams.heldUntil !== undefined;
    streams.heldUntil?.then(release, release);
    const receive = (chunk: Buffer): Buffer | undefined => {
      inReadScope(this.received, chunk);
      return (this.framer?.chosen ?? this.framer)?.makePlace();
    };
    streams.input.on('data', receive);
    // The framer is created before any input arrives, because streams do not call back synchronously.
    const isShared = readShared(streams.input, receive);
    this.framer = new MessageFramer(handler, limits.maxLineBytes, {
      borrowsLines: limits.borrowsLines ?? false,
      slotsFor: isShared ? lineSlotsFor : undefined,
      maxRunawayBytes,
      onRunawayLine: () => {
        this.isDeaf = true;
        this.failed('input', `a line of more than ${maxRunawayBytes} bytes has no end`);
      },
    });
    streams.input.on('end', () => {
      this.takeAllOfRest();
      this.framer?.end();
      this.over({ reason: 'ended' });
    });
    streams.input.on('close', () => {
      this.takeAllOfRest();
      this.framer?.close();
      this.over({ reason: 'closed' });
    });
    this.reportEarlyEnd();
  }

  get queuedBytes(): number {
    return this.queue.queuedBytes;
  }

  get saturated(): boolean {
    return this.queue.saturated;
  }

  get progress(): number {
    const { output } = this.streams;
    // A stream reports a long write only when it is complete. The pipe handle shows the progress of each part.
    return output.writableLength + (pipeHandleOf(output)?.writeQueueSize ?? 0);
  }

  send(line: OutgoingLine): void {
    this.sendsHeaders ??= this.framer?.framing === 'headers';
    this.queue.push(this.sendsHeaders ? withHeader(inOnePiece(line)) : line);
  }

  pause(): void {
    this.isPaused = true;
    this.streams.input.pause();
  }

  resume(): void {
    this.isPaused = false;
    if (this.isHeld) return;
    if (this.rest === undefined) this.streams.input.resume();
    else this.takeRestLater();
  }

  end(): Promise<void> {
    return this.queue.end();
  }

  destroy(): void {
    this.isDeaf = true;
    this.forgetInput();
    this.stallWatch?.end();
    this.streams.output.destroy();
    this.streams.input.destroy();
  }

  private readonly received = (chunk: Buffer): void => {
    if (this.isDeaf) return;
    if (this.rest === undefined) {
      this.take(chunk);
      // The next chunk may overwrite this memory.
      this.rest &&= Buffer.from(this.rest);
    }
    // Data can arrive although the input is paused, because the pipe of a process that is about to end is emptied.
    else this.rest = Buffer.concat([this.rest, chunk]);
    if (this.isHeld) this.streams.input.pause();
  };

  private readonly take = (chunk: Buffer): void => {
    this.rest = (this.framer?.chosen ?? this.framer)?.push(chunk, LINES_PER_TURN);
    if (this.isDeaf) this.forgetInput();
    if (this.rest === undefined) return;
    this.streams.input.pause();
    this.takeRestLater();
  };

  private takeRestLater(): void {
    setImmediate(() => {
      const { rest } = this;
      if (rest === undefined || this.isPaused) return;
      this.rest = undefined;
      inReadScope(this.take, rest);
      if (this.rest === undefined && !this.isPaused && !this.isHeld && !this.isDeaf)
        this.streams.input.resume();
    });
  }

  private takeAllOfRest(): void {
    const { rest } = this;
    this.rest = undefined;
    if (rest !== undefined) this.framer?.push(rest);
  }

  private forgetInput(): void {
    this.rest = undefined;
    this.framer?.close();
  }

  private failed(side: PipeError['side'], problem: string, cause?: Error): void {
    this.over({ reason: 'failed', error: new PipeError(side, problem, { cause }) });
  }

  private over(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    if (outcome.reason !== 'ended') this.stallWatch?.end();
    this.handler?.ended(outcome);
  }

  /**
   * Reports the end of a stream that ended, closed or failed before the channel was opened, because the stream does not
   * report it again.
   */
  private reportEarlyEnd(): void {
    const { outcome, streams } = this;
    if (outcome !== undefined) queueMicrotask(() => this.handler?.ended(outcome));
    else if (streams.input.readableEnded) queueMicrotask(() => this.over({ reason: 'ended' }));
    else if (streams.input.destroyed) queueMicrotask(() => this.over({ reason: 'closed' }));
  }
}

/** Returns a JSON line after a header with its length, without its newline. */
function withHeader(line: Buffer): readonly Buffer[] {
  return [Buffer.from(`Content-Length: ${line.length - 1}\r\n\r\n`), line.subarray(0, -1)];
}
