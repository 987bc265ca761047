import type { IncomingMessage } from 'node:http';

import { RemoteError } from './remote-error.js';

/** The limits for reading a body. */
export interface BodyLimits {
  /** The maximum size of one response, or of one event in a stream, in bytes. */
  readonly maxMessageBytes: number;
  /** Resolves when more data can be accepted. */
  readonly whenReadable: () => Promise<void>;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * A response body as the source of a web stream. Reads one chunk at a time. Fails if a message exceeds the size limit.
 */
export class BodySource {
  private readonly chunks: AsyncIterator<Buffer>;
  private readonly isEventStream: boolean;
  private messageBytes = 0;
  /** True if the last byte, ignoring carriage returns, ended a line. */
  private isLineStart = true;

  constructor(
    private readonly message: IncomingMessage,
    private readonly limits: BodyLimits,
  ) {
    this.chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.isEventStream = message.headers['content-type']?.startsWith('text/event-stream') === true;
  }

  async pull(controller: { enqueue(chunk: Uint8Array): void; close(): void }): Promise<void> {
    await this.limits.whenReadable();
    const { done, value } = await this.chunks.next();
    if (done === true) return controller.close();
    this.checkSize(value);
    controller.enqueue(value);
  }

  cancel(): void {
    this.message.destroy();
  }

  /** Checks the size of the current message. An empty line ends an event. */
  private checkSize(chunk: Buffer): void {
    this.messageBytes = this.isEventStream ? this.eventBytes(chunk) : this.messageBytes + chunk.length;
    if (this.messageBytes <= this.limits.maxMessageBytes) return;
    this.message.destroy();
    throw new RemoteError(`it sends a message above the limit of ${this.limits.maxMessageBytes} bytes`);
  }

  private eventBytes(chunk: Buffer): number {
    let begin = -1;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      if (this.isEmptyLine(chunk, at)) begin = at + 1;
    }
    const lastByte = chunk.at(-1);
    this.isLineStart = lastByte === LINE_FEED || (lastByte === CARRIAGE_RETURN && this.isLineStart);
    return begin === -1 ? this.messageBytes + chunk.length : chunk.length - begin;
  }

  private isEmptyLine(chunk: Buffer, end: number): boolean {
    const precedingOffset = chunk[end - 1] === CARRIAGE_RETURN ? end - 2 : end - 1;
    return precedingOffset < 0 ? this.isLineStart : chunk[precedingOffset] === LINE_FEED;
  }
}
