import { Writable } from 'node:stream';

type Done = (error?: Error | null) => void;

/** A stream whose peer takes what was written only when told to. Each element of `writes` is one system call. */
export class ManualWritable extends Writable {
  readonly writes: Buffer[][] = [];
  private done: Done | undefined;

  constructor(highWaterMark: number) {
    super({ highWaterMark });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.writes.push([chunk]);
    this.done = done;
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: Done): void {
    this.writes.push(chunks.map(({ chunk }) => chunk));
    this.done = done;
  }

  /** The peer takes the write that it was given last. */
  take(): void {
    const { done } = this;
    this.done = undefined;
    done?.();
  }

  /** The peer takes everything, and all that follows from that. */
  async takeAll(): Promise<void> {
    while (this.done !== undefined) {
      this.take();
      await new Promise(setImmediate);
    }
  }

  /** The write that was given last fails. */
  fail(error: Error): void {
    this.done?.(error);
  }

  /** All that was written so far, as one text. */
  get text(): string {
    return Buffer.concat(this.writes.flat()).toString('utf8');
  }
}
