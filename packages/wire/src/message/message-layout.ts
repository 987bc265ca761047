import type { JsonReader } from '../json/json-reader.js';
import { calling, type Message } from './message.js';
import { FoundSpans, NO_SPANS } from './param-spans.js';
import type { Span } from '../json/span.js';

/** A value of a message, and what it is: a member of the envelope, one that is wanted inside of `params`, or another. */
export interface ReadValue extends Span {
  readonly role: 'id' | 'result' | 'error' | 'param' | 'other';
  /** The path inside of `params`, if that is its role. */
  readonly path: string;
  /** How many levels of brackets are around it. */
  readonly depth: number;
}

/** A value of a layout, behind the first `fixedEnd` of the bytes that stay the same. */
interface Hole {
  readonly role: ReadValue['role'];
  readonly path: string;
  readonly depth: number;
  readonly fixedEnd: number;
}

/**
 * What the messages of a peer have in common: programs write one kind of message in one way, and only its values change.
 *
 * When all that stands between the values is byte for byte what it was in a message that has been read, and the values
 * are JSON, then so is the whole, with the same members in the same places. Nothing has to be asked of a key again.
 */
export class MessageLayout {
  private readonly holes: readonly Hole[];
  private readonly fixed: Uint8Array;
  /** How many of the fixed bytes stand behind the last value. */
  private readonly tailLength: number;

  /**
   * @param message what was read of `line`, and is not malformed
   * @param values its values, in their order, none inside of another; all else is what stays the same
   */
  constructor(
    private readonly message: Exclude<Message, { readonly kind: 'malformed' }>,
    line: Buffer,
    values: readonly ReadValue[],
  ) {
    // In memory of its own: a part of the line, or of Node.js's pool, would keep all of that.
    const fixed = new Uint8Array(line.length);
    let at = 0;
    let fixedEnd = 0;
    const copyTo = (end: number): void => {
      while (at < end) fixed[fixedEnd++] = line[at++] as number;
    };
    this.holes = values.map(({ role, path, depth, start, end }) => {
      copyTo(start);
      at = end;
      return { role, path, depth, fixedEnd };
    });
    this.tailLength = line.length - at;
    copyTo(line.length);
    this.fixed = fixed.slice(0, fixedEnd);
  }

  /**
   * The message of a line with this layout, `undefined` for another.
   *
   * @param json reads this line
   * @throws JsonSyntaxError when a value is none
   */
  read(line: Buffer, json: JsonReader): Message | undefined {
    const { fixed, tailLength } = this;
    const tailAt = line.length - tailLength;
    // First, as the values before it may be long.
    if (!this.isFixed(line, tailAt, fixed.length - tailLength, fixed.length)) return undefined;
    let id: Span | undefined;
    let result: Span | undefined;
    let error: Span | undefined;
    let params: FoundSpans | undefined;
    let at = 0;
    let fixedAt = 0;
    for (const { role, path, depth, fixedEnd } of this.holes) {
      if (!this.isFixed(line, at, fixedAt, fixedEnd)) return undefined;
      const start = at + fixedEnd - fixedAt;
      at = json.value(start, depth);
      fixedAt = fixedEnd;
      if (role === 'other') continue;
      const span = { start, end: at };
      if (role === 'id') id = span;
      else if (role === 'result') result = span;
      else if (role === 'error') error = span;
      else (params ??= new FoundSpans()).add(path, span);
    }
    if (at !== tailAt) return undefined;
    const { message } = this;
    if (message.kind === 'response') return id && { kind: 'response', id, result, error };
    return calling(id, message.method, params ?? NO_SPANS, message.versioned);
  }

  /** Whether the bytes from `start` to `end` of those that stay the same stand at `at`. */
  private isFixed(line: Buffer, at: number, start: number, end: number): boolean {
    const { fixed } = this;
    for (let index = start; index < end; index += 1, at += 1) if (line[at] !== fixed[index]) return false;
    return true;
  }
}
