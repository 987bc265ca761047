import type { Readable, Writable } from 'node:stream';

import type { ChannelEnd, ChannelHandler, Channel } from './channel.js';
import { MessageFramer } from '../frame/message-framer.js';
import { WriteQueue, type WriteQueueLimits } from './write-queue.js';
import { inOnePiece, type OutgoingLine } from '../splice/splice.js';
import { PipeError } from './pipe-error.js';
import { lineSlotsFor } from '../pipe/read-buffers.js';
import { pipeHandleOf, readIntoSharedMemory } from '../pipe/pipe-handle.js';
import { StallWatch, type StallLimit } from './stall-watch.js';
import { runInReadScope } from '../pipe/read-scope.js';

/** The maximum number of lines processed per peer and event loop turn, so that timers and other peers get a turn. */
export const MAX_LINES_PER_TURN = 256;

/**
 * A pair of byte streams. `input` carries the peer's lines to mcpmux, and `output` carries mcpmux's lines to the peer.
 */
export interface StreamPair {
  readonly input: Readable;
  readonly output: Writable;
  /** The first bytes are delivered at once. Later bytes wait until this promise has settled. */
  readonly heldUntil?: Promise<unknown>;
}

/** Limits of a {@link StreamChannel} in bytes, and other options. */
export interface StreamChannelLimits extends WriteQueueLimits {
  /** The maximum length of a line from the peer, in bytes. */
  readonly maxLineBytes: number;
  /** The length, in bytes, above which a line ends the channel. If absent, a long line is discarded to its end. */
  readonly maxEndlessLineBytes?: number;
  /** True if lines from the peer are borrowed ({@link LineFramerOptions}). */
  readonly borrowsLines?: boolean;
  /** When the channel fails because the peer does not read. If absent, the channel never fails for this reason. */
  readonly stall?: StallLimit;
}

/**
 * A channel over byte streams, for either side of the MCP stdio transport.
 *
 * Each message is a line. If the peer's first message has a `Content-Length` header, messages to the peer have such
 * headers too.
 */
export class StreamChannel implements Channel {
  private readonly writeQueue: WriteQueue;
  private readonly stallWatch: StallWatch | undefined;
  private framer: MessageFramer | undefined;
  private handler: ChannelHandler | undefined;
  private outcome: ChannelEnd | undefined;
  /** Bytes that have arrived but are not delivered yet, because each read scope delivers a limited number of lines. */
  private undeliveredBytes: Buffer | undefined;
  private isPaused = false;
  private isHeld = false;
  /** True if all further input is ignored. */
  private ignoresInput = false;
  private sendsHeaders: boolean | undefined;

  constructor(
    private readonly streams: StreamPair,
    private readonly limits: StreamChannelLimits,
  ) {
    const { input, output } = streams;
    const stallWatch =
      limits.stall &&
      new StallWatch(output, limits.stall, (problem) => this.endWithFailure('output', problem));
    this.stallWatch = stallWatch;
    this.writeQueue = new WriteQueue(output, limits, {
      drained: () => this.handler?.drained(),
      waiting: () => stallWatch?.begin(),
      accepted: () => stallWatch?.recordAccepted(),
    });
    // Without this listener, a broken pipe would cause an uncaught exception, even before the channel opens.
    output.on('error', (error) => this.endWithFailure('output', error.message, error));
    input.on('error', (error) => {
      this.deliverAll();
      this.endWithFailure('input', error.message, error);
    });
  }

  open(handler: ChannelHandler): void {
    const { streams, limits } = this;
    const maxRunawayBytes = limits.maxEndlessLineBytes ?? Infinity;
    this.handler = handler;
    const releaseInput = (): void => {
      this.isHeld = false;
      if (!this.isPaused) this.resume();
    };
    this.isHeld = streams.heldUntil !== undefined;
    streams.heldUntil?.then(releaseInput, releaseInput);
    const receiveChunk = (chunk: Buffer): Buffer | undefined => {
      runInReadScope(this.handleChunk, chunk);
      return (this.framer?.chosenFramer ?? this.framer)?.nextReadBuffer();
    };
    streams.input.on('data', receiveChunk);
    // The framer exists before any input arrives, because streams do not call back synchronously.
    const readsSharedMemory = readIntoSharedMemory(streams.input, receiveChunk);
    this.framer = new MessageFramer(handler, limits.maxLineBytes, {
      borrowsLines: limits.borrowsLines ?? false,
      slotsFor: readsSharedMemory ? lineSlotsFor : undefined,
      maxRunawayBytes,
      onRunawayLine: () => {
        this.ignoresInput = true;
        this.endWithFailure('input', `a line of more than ${maxRunawayBytes} bytes has no end`);
      },
    });
    streams.input.on('end', () => {
      this.deliverAll();
      this.framer?.end();
      this.reportEnd({ reason: 'ended' });
    });
    streams.input.on('close', () => {
      this.deliverAll();
      this.framer?.close();
      this.reportEnd({ reason: 'closed' });
    });
    this.reportEarlyEnd();
  }

  get queuedBytes(): number {
    return this.writeQueue.queuedBytes;
  }

  get saturated(): boolean {
    return this.writeQueue.saturated;
  }

  get progress(): number {
    const { output } = this.streams;
    // A stream reports a long write only when it is complete. The pipe handle shows the progress of each part.
    return output.writableLength + (pipeHandleOf(output)?.writeQueueSize ?? 0);
  }

  send(line: OutgoingLine): void {
    this.sendsHeaders ??= this.framer?.framing === 'headers';
    this.writeQueue.push(this.sendsHeaders ? withHeader(inOnePiece(line)) : line);
  }

  pause(): void {
    this.isPaused = true;
    this.streams.input.pause();
  }

  resume(): void {
    this.isPaused = false;
    if (this.isHeld) return;
    if (this.undeliveredBytes === undefined) this.streams.input.resume();
    else this.scheduleDelivery();
  }

  end(): Promise<void> {
    return this.writeQueue.end();
  }

  destroy(): void {
    this.ignoresInput = true;
    this.discardInput();
    this.stallWatch?.end();
    this.streams.output.destroy();
    this.streams.input.destroy();
  }

  private readonly handleChunk = (chunk: Buffer): void => {
    if (this.ignoresInput) return;
    if (this.undeliveredBytes === undefined) {
      this.deliver(chunk);
      // The next chunk may overwrite this chunk's memory.
      this.undeliveredBytes &&= Buffer.from(this.undeliveredBytes);
    }
    // Data can arrive while the input is paused, because the pipes of an exiting process are drained.
    else this.undeliveredBytes = Buffer.concat([this.undeliveredBytes, chunk]);
    if (this.isHeld) this.streams.input.pause();
  };

  private readonly deliver = (chunk: Buffer): void => {
    this.undeliveredBytes = (this.framer?.chosenFramer ?? this.framer)?.push(chunk, MAX_LINES_PER_TURN);
    if (this.ignoresInput) this.discardInput();
    if (this.undeliveredBytes === undefined) return;
    this.streams.input.pause();
    this.scheduleDelivery();
  };

  private scheduleDelivery(): void {
    setImmediate(() => {
      const { undeliveredBytes } = this;
      if (undeliveredBytes === undefined || this.isPaused) return;
      this.undeliveredBytes = undefined;
      runInReadScope(this.deliver, undeliveredBytes);
      if (this.undeliveredBytes === undefined && !this.isPaused && !this.isHeld && !this.ignoresInput)
        this.streams.input.resume();
    });
  }

  private deliverAll(): void {
    const { undeliveredBytes } = this;
    this.undeliveredBytes = undefined;
    if (undeliveredBytes !== undefined) this.framer?.push(undeliveredBytes);
  }

  private discardInput(): void {
    this.undeliveredBytes = undefined;
    this.framer?.close();
  }

  private endWithFailure(side: PipeError['side'], problem: string, cause?: Error): void {
    this.reportEnd({ reason: 'failed', error: new PipeError(side, problem, { cause }) });
  }

  private reportEnd(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    if (outcome.reason !== 'ended') this.stallWatch?.end();
    this.handler?.ended(outcome);
  }

  /** Reports an end, close or error that a stream emitted before the channel opened and will not emit again. */
  private reportEarlyEnd(): void {
    const { outcome, streams } = this;
    if (outcome !== undefined) queueMicrotask(() => this.handler?.ended(outcome));
    else if (streams.input.readableEnded) queueMicrotask(() => this.reportEnd({ reason: 'ended' }));
    else if (streams.input.destroyed) queueMicrotask(() => this.reportEnd({ reason: 'closed' }));
  }
}

/** Returns the line without its newline, after a `Content-Length` header. */
function withHeader(line: Buffer): readonly Buffer[] {
  return [Buffer.from(`Content-Length: ${line.length - 1}\r\n\r\n`), line.subarray(0, -1)];
}
