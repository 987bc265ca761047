import type { JsonReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';
import { MessageLayout, type ReadValue } from './message-layout.js';
import type { Message } from './message.js';

/** Of a longer line the values are what takes time; and what does not fit has been read in vain. */
const MAX_LINE_BYTES = 1024;
/** With more values than this a line is read as fast without a layout. */
const MAX_VALUES = 16;
/** After so many lines in turn of no known layout, only one of as many is tried and learned. */
const PATIENCE = 16;

/**
 * The layouts of the two kinds of messages that have come last. A peer has few at a time, such as calls, or progress and
 * results; with more, trying them would cost more than it gains.
 */
export class MessageLayouts {
  private last: MessageLayout | undefined;
  private other: MessageLayout | undefined;
  /** Lines in turn that were of no known layout. */
  private misses = 0;
  private isTrying = true;

  /** The message of a line, if its layout is known. What is wrong with the values of a line is not said here. */
  read(line: Buffer, json: JsonReader): Message | undefined {
    const { misses } = this;
    // Long lines do not count: they could be all those that would be tried.
    this.isTrying = line.length <= MAX_LINE_BYTES;
    if (!this.isTrying) return undefined;
    this.isTrying = misses < PATIENCE || misses % PATIENCE === 0;
    const message = this.isTrying ? this.tried(line, json) : undefined;
    this.misses = message === undefined ? misses + 1 : 0;
    return message;
  }

  /** Whether it is worth while to learn the layout of the line that was read last, and not known. */
  get wantsMore(): boolean {
    return this.isTrying;
  }

  /** Learns the layout of a line, of which `message` and `values` were read. */
  learn(message: Message, line: Buffer, values: readonly ReadValue[]): void {
    if (message.kind === 'malformed' || values.length > MAX_VALUES) return;
    this.other = this.last;
    this.last = new MessageLayout(message, line, values);
  }

  private tried(line: Buffer, json: JsonReader): Message | undefined {
    const { last, other } = this;
    try {
      const message = last?.read(line, json);
      if (message !== undefined) return message;
      const another = other?.read(line, json);
      if (another === undefined) return undefined;
      this.last = other;
      this.other = last;
      return another;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return undefined;
    }
  }
}
