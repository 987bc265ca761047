import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { findKey, keyPaths, sameBytes } from './key-paths.js';
import type { Span } from './span.js';

const COLON = 0x3a;
const MEMBERS = keyPaths(['id', 'method']);

/** What a part of a message tells of whose it is: members of the message itself, and none of objects inside. */
export interface OwnMembers {
  /** Where its ids stand, in the order in which they were found: at most two, which differ. Of two none is the message's. */
  readonly ids: readonly Span[];
  /** A request or a notification, then: whatever ids are in it, it answers nothing. */
  readonly hasMethod: boolean;
}

/** Collects them from a text that may begin and end anywhere in a message. */
export class FoundMembers implements OwnMembers {
  readonly ids: Span[] = [];
  hasMethod = false;
  readonly reader: JsonReader;

  constructor(private readonly text: Buffer) {
    this.reader = new JsonReader(text);
  }

  /** Whether any more would change nothing. */
  get isEnough(): boolean {
    return this.ids.length > 1;
  }

  /**
   * Takes the member whose key is the string at `quote`, should it be one of these, and returns where the string ends.
   *
   * @throws JsonSyntaxError when the string is none, or the value of an id
   */
  take(quote: number): number {
    const { reader, text } = this;
    const end = reader.string(quote);
    const colon = reader.afterSpace(end);
    const key = text[colon] === COLON ? findKey(MEMBERS, text, quote + 1, end - 1)?.key : undefined;
    if (key === 'method') this.hasMethod = true;
    if (key === 'id') this.takeId(reader.afterSpace(colon + 1));
    return end;
  }

  private takeId(start: number): void {
    const end = this.reader.value(start);
    // The text may be cut there: of a number there may have been more.
    if (end === this.text.length) return;
    const [first] = this.ids;
    if (first === undefined || !sameText(this.text, first, this.text, { start, end }))
      this.ids.push({ start, end });
  }
}

/** Whether the same text stands at both places. */
export function sameText(part: Buffer, { start, end }: Span, other: Buffer, span: Span): boolean {
  return sameBytes(part.subarray(start, end), other, span.start, span.end);
}

/** What `collect` finds in a text before it comes upon a string or an id that is no JSON. */
export function foundIn(text: Buffer, collect: (found: FoundMembers) => void): OwnMembers {
  const found = new FoundMembers(text);
  try {
    collect(found);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return found;
}

/** The one there is; none of several. */
export function onlyOf<T>(found: readonly T[]): T | undefined {
  return found.length === 1 ? found[0] : undefined;
}
