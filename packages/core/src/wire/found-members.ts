import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { findKey, keyPaths } from './key-paths.js';
import { isSameId, type OwnMembers, type PlacedId } from './own-members.js';
import type { Span } from './span.js';

const COLON = 0x3a;
const COMMA = 0x2c;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const MEMBERS = keyPaths(['id', 'method']);

/** Collects the members of a message from a text that may begin and end anywhere in it. */
export class FoundMembers implements OwnMembers {
  id: PlacedId | undefined;
  isIdUnclear = false;
  hasMethod = false;
  readonly reader: JsonReader;

  constructor(private readonly text: Buffer) {
    this.reader = new JsonReader(text);
  }

  /**
   * Takes the member whose key is the string at `quote`, should it be one of these, and returns where the string ends.
   *
   * @throws JsonSyntaxError when the string is none
   */
  take(quote: number): number {
    const { reader, text } = this;
    const end = reader.string(quote);
    const colon = reader.afterSpace(end);
    const key = text[colon] === COLON ? findKey(MEMBERS, text, quote + 1, end - 1)?.key : undefined;
    if (key === undefined) return end;
    const start = reader.afterSpace(colon + 1);
    if (key === 'id') this.takeId(start);
    // One that is no string is no method; of one that is cut off nobody knows.
    else this.hasMethod ||= start === text.length || text[start] === QUOTE;
    return end;
  }

  private takeId(start: number): void {
    if (this.isIdUnclear) return;
    const { text } = this;
    const span = this.wholeValue(start);
    const id = span && { text, span };
    if (id === undefined || !isSameId(this.id ?? id, id)) {
      this.isIdUnclear = true;
      this.id = undefined;
    } else this.id = id;
  }

  /** The value at `start`, unless it is none or there may have been more of it where the text is cut. */
  private wholeValue(start: number): Span | undefined {
    const { reader, text } = this;
    const end = valueEnd(reader, start);
    if (end === undefined) return undefined;
    const behind = text[reader.afterSpace(end)];
    return behind === COMMA || behind === CLOSE_BRACE || (behind === undefined && end < text.length)
      ? { start, end }
      : undefined;
  }
}

function valueEnd(reader: JsonReader, start: number): number | undefined {
  try {
    return reader.value(start);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

/** What `collect` finds in a text before it comes upon a string that is no JSON. */
export function foundIn(text: Buffer, collect: (found: FoundMembers) => void): OwnMembers {
  const found = new FoundMembers(text);
  try {
    collect(found);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  const { id, isIdUnclear, hasMethod } = found;
  return { id, isIdUnclear, hasMethod };
}
