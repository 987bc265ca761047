import type { Readable, Writable } from 'node:stream';

import type { ChannelEnd, ChannelHandler, Channel } from './channel.js';
import { MessageFramer } from '../frame/message-framer.js';
import { WriteQueue, type WriteQueueLimits } from './write-queue.js';
import { inOnePiece, type OutgoingLine } from '../splice/outgoing-line.js';
import { PipeError } from './pipe-error.js';
import { lineSlotsFor } from '../pipe/read-buffers.js';
import { pipeHandleOf } from '../pipe/pipe-handle.js';
import { readShared } from '../pipe/shared-reads.js';
import { StallWatch, type StallLimit } from './stall-watch.js';
import { inReadScope } from '../pipe/read-scope.js';

/** Lines taken from a peer in one turn of the event loop: timers, signals and other peers come between. */
export const LINES_PER_TURN = 256;

/** A pair of byte streams: `input` carries the peer's lines to us, `output` ours to the peer. */
export interface StreamPair {
  readonly input: Readable;
  readonly output: Writable;
  /** The first bytes are delivered at once, later bytes when this promise has settled. */
  readonly heldUntil?: Promise<unknown>;
}

/** Sizes of a {@link StreamChannel}, in bytes, and what else it does. */
export interface StreamChannelLimits extends WriteQueueLimits {
  /** Longest line accepted from the peer, in bytes. */
  readonly maxLineBytes: number;
  /** A line longer than this, in bytes, ends the channel; without it, such a line is discarded to its end. */
  readonly maxEndlessLineBytes?: number;
  /** Lines of the peer are borrowed ({@link LineFramerOptions}). */
  readonly borrowsLines?: boolean;
  /** How long the peer may leave sent bytes unread; no limit when absent. */
  readonly stall?: StallLimit;
}

/**
 * JSON messages over byte streams: the MCP stdio transport, seen from either side.
 *
 * Messages are lines. A peer whose own first message stands behind a `Content-Length` header is answered in kind.
 */
export class StreamChannel implements Channel {
  private readonly queue: WriteQueue;
  private readonly stallWatch: StallWatch | undefined;
  private framer: MessageFramer | undefined;
  private handler: ChannelHandler | undefined;
  private outcome: ChannelEnd | undefined;
  /** Bytes that have arrived and were not delivered yet, because their turn was over. */
  private rest: Buffer | undefined;
  private isPaused = false;
  private isHeld = false;
  /** Nothing of the input is taken any more. */
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
    // Without a listener a broken pipe would be an uncaught exception, even before or after the channel's life.
    output.on('error', (error) => this.failed('output', error.message, error));
    input.on('error', (error) => {
      this.takeAllOfRest();
      this.failed('input', error.message, error);
    });
  }

  open(handler: ChannelHandler): void {
    const { streams, limits } = this;
    const maxEndlessBytes = limits.maxEndlessLineBytes ?? Infinity;
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
    // Nothing has come before the framer is there: streams do not call back at once.
    const isShared = readShared(streams.input, receive);
    this.framer = new MessageFramer(handler, limits.maxLineBytes, {
      borrowsLines: limits.borrowsLines ?? false,
      slotsFor: isShared ? lineSlotsFor : undefined,
      maxEndlessBytes,
      onEndless: () => {
        this.isDeaf = true;
        this.failed('input', `a line of more than ${maxEndlessBytes} bytes has no end`);
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
    // A stream reports a long write when all of it is taken; the pipe below knows of each part.
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
      // The next chunk may come into the same memory.
      this.rest &&= Buffer.from(this.rest);
    }
    // More comes although the input is paused: the end of a process is near, and its pipe is emptied.
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

  /** A stream that ended, closed or failed before the channel was opened will not say so again. */
  private reportEarlyEnd(): void {
    const { outcome, streams } = this;
    if (outcome !== undefined) queueMicrotask(() => this.handler?.ended(outcome));
    else if (streams.input.readableEnded) queueMicrotask(() => this.over({ reason: 'ended' }));
    else if (streams.input.destroyed) queueMicrotask(() => this.over({ reason: 'closed' }));
  }
}

/** A line of JSON behind its length, without its newline. */
function withHeader(line: Buffer): readonly Buffer[] {
  return [Buffer.from(`Content-Length: ${line.length - 1}\r\n\r\n`), line.subarray(0, -1)];
}
