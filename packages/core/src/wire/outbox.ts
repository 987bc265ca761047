import type { Writable } from 'node:stream';

import { immediateWrite, type ImmediateWrite } from './immediate-write.js';
import type { SplicedLine } from './splice.js';
import { Staging } from './staging.js';

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

/** What follows it is done when the turn is over. Not queueMicrotask: Node.js makes an asynchronous resource for that. */
const TURN_OVER = Promise.resolve();

/**
 * Lines on their way into a stream. All lines of one turn of the event loop leave in one write.
 *
 * It never refuses a line (a response must not be lost); it says {@link saturated} instead, and `drained` later.
 */
export class Outbox {
  private readonly staging = new Staging();
  private isSaturated = false;
  private isDead = false;
  /** The peer has left something: it waits in the stream. */
  private isBehind = false;
  private readonly writeNow: ImmediateWrite | undefined;
  private readonly flushNow = (): void => this.flush();

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
    const { length } = this.staging;
    return this.isBehind ? length + this.stream.writableLength : length;
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  push(line: Buffer | SplicedLine): void {
    if (this.isDead) return;
    if (this.staging.length === 0) void TURN_OVER.then(this.flushNow);
    this.staging.add(line);
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
    const { staging, stream } = this;
    const { length } = staging;
    if (length === 0 || this.isDead || !stream.writable) return staging.clear(true);
    const pieces = staging.pieces();
    const taken = this.writeNow?.(pieces) ?? 0;
    this.isBehind = taken < length;
    const isTaken = !this.isBehind || writeAll(stream, after(taken, pieces));
    staging.clear(!this.isBehind);
    if (!isTaken) this.events.waiting?.();
    // Saturated by lines that were taken at once: no drain event will follow.
    if (isTaken && this.isSaturated) this.drained();
  }

  private drained(): void {
    // With lines still waiting here, the stream has drained too early: it will again, after it was given them.
    if (!this.isSaturated || this.isDead || this.staging.length > 0) return;
    this.isSaturated = false;
    this.events.drained();
  }

  private die(): void {
    this.isDead = true;
    this.staging.clear(false);
  }
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
