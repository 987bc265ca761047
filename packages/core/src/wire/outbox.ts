import type { Writable } from 'node:stream';

import { immediateWrite, type ImmediateWrite } from './immediate-write.js';

/** Sizes of an {@link Outbox}, in bytes. */
export interface OutboxLimits {
  /** Above this the outbox is saturated and whoever feeds it should stop. */
  readonly highWatermarkBytes: number;
}

/** What the owner of an {@link Outbox} is told. */
export interface OutboxEvents {
  /** The peer has taken everything, after the outbox had been saturated. */
  drained(): void;
  /** The peer has not taken at once what it was sent. */
  waiting?(): void;
}

/** Batches below this are joined into one buffer: one system call, and cheaper than a vector of small parts. */
const JOIN_BELOW_BYTES = 64 * 1024;

/**
 * Lines on their way into a stream. All lines of one turn of the event loop leave in one write.
 *
 * It never refuses a line (a response must not be lost); it says {@link saturated} instead, and `drained` later.
 */
export class Outbox {
  private batch: Buffer[] = [];
  private batchBytes = 0;
  private isSaturated = false;
  private isDead = false;
  private readonly writeNow: ImmediateWrite | undefined;

  constructor(
    private readonly stream: Writable,
    private readonly limits: OutboxLimits,
    private readonly events: OutboxEvents,
  ) {
    this.writeNow = immediateWrite(stream);
    stream.on('drain', () => this.drained());
    stream.on('close', () => this.die());
  }

  get queuedBytes(): number {
    return this.batchBytes + this.stream.writableLength;
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  push(line: Buffer): void {
    if (this.isDead) return;
    // Not queueMicrotask: in Node.js that makes an asynchronous resource first.
    if (this.batch.length === 0) void Promise.resolve().then(() => this.flush());
    this.batch.push(line);
    this.batchBytes += line.length;
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.isSaturated = true;
  }

  /** Sends what is queued and ends the stream. Resolves when all was taken, or never can be. */
  async end(): Promise<void> {
    this.flush();
    if (this.isDead || this.stream.destroyed) return;
    await new Promise<void>((resolve) => {
      this.stream.once('close', resolve);
      this.stream.end(() => resolve());
    });
  }

  private flush(): void {
    const { batch, batchBytes, stream } = this;
    this.batch = [];
    this.batchBytes = 0;
    if (batch.length === 0 || this.isDead || !stream.writable) return;
    const pieces = batchBytes < JOIN_BELOW_BYTES ? [joined(batch, batchBytes)] : batch;
    const taken = this.writeNow?.(pieces) ?? 0;
    const isTaken = taken === batchBytes || writeAll(stream, after(taken, pieces));
    if (!isTaken) this.events.waiting?.();
    // Saturated by lines that were taken at once: no drain event will follow.
    if (isTaken && this.isSaturated) this.drained();
  }

  private drained(): void {
    // With lines still waiting here, the stream has drained too early: it will again, after it was given them.
    if (!this.isSaturated || this.isDead || this.batchBytes > 0) return;
    this.isSaturated = false;
    this.events.drained();
  }

  private die(): void {
    this.isDead = true;
    this.batch = [];
    this.batchBytes = 0;
  }
}

function joined(batch: readonly Buffer[], length: number): Buffer {
  const [only] = batch;
  return batch.length === 1 && only !== undefined ? only : Buffer.concat(batch, length);
}

/** What is left of `pieces` without the first `count` bytes. */
function after(count: number, pieces: readonly Buffer[]): readonly Buffer[] {
  let index = 0;
  let left = count;
  for (let piece = pieces[0]; piece !== undefined && left >= piece.length; piece = pieces[index]) {
    left -= piece.length;
    index += 1;
  }
  const [first, ...others] = pieces.slice(index);
  return first === undefined || left === 0 ? pieces.slice(index) : [first.subarray(left), ...others];
}

function writeAll(stream: Writable, pieces: readonly Buffer[]): boolean {
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return stream.write(only);
  stream.cork();
  let taken = true;
  for (const piece of pieces) taken = stream.write(piece);
  stream.uncork();
  return taken;
}
