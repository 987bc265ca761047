import type { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { MessageLayout, type ReadValue } from './message-layout.js';
import type { Message } from './message.js';

/** A peer has few kinds of messages at a time. */
const MAX_LAYOUTS = 4;
/** Of a longer line the values are what takes time; and what does not fit has been read in vain. */
export const MAX_LAYOUT_LINE_BYTES = 1024;

/** The layouts of the messages that have come last, the last one first. */
export class MessageLayouts {
  private readonly layouts: MessageLayout[] = [];

  /** The message of a line, if its layout is known. What is wrong with the values of a line is not said here. */
  read(line: Buffer, json: JsonReader): Message | undefined {
    const { layouts } = this;
    if (line.length > MAX_LAYOUT_LINE_BYTES) return undefined;
    try {
      for (let index = 0; index < layouts.length; index += 1) {
        const layout = layouts[index] as MessageLayout;
        const message = layout.read(line, json);
        if (message === undefined) continue;
        if (index > 0) this.toFront(layout, index);
        return message;
      }
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    return undefined;
  }

  /** Learns the layout of a line, of which `message` and `values` were read. */
  learn(message: Message, line: Buffer, values: readonly ReadValue[]): void {
    if (message.kind === 'malformed' || line.length > MAX_LAYOUT_LINE_BYTES) return;
    if (this.layouts.length === MAX_LAYOUTS) this.layouts.pop();
    this.layouts.unshift(new MessageLayout(message, line, values));
  }

  private toFront(layout: MessageLayout, index: number): void {
    this.layouts.copyWithin(1, 0, index);
    this.layouts[0] = layout;
  }
}
