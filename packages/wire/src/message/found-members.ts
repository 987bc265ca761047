import { JsonReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';
import { findKey, keyPaths } from '../json/key-paths.js';
import { isSameId, type OwnMembers, type PlacedId } from './own-members.js';
import type { Span } from '../json/span.js';

const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;
const MEMBERS = keyPaths(['id', 'method', 'params']);

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
    // Of a value that is cut off nobody knows whether it is one.
    else this.hasMethod ||= start === text.length || (key === 'method' ? isString : isContainer)(text[start]);
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

  /** The value at `start`, unless it is none or there may have been more of it where the text is cut or broken. */
  private wholeValue(start: number): Span | undefined {
    const { reader, text } = this;
    const end = unlessBroken(() => reader.value(start));
    if (end === undefined) return undefined;
    const isClosed = isString(text[start]) || isContainer(text[start]);
    return isClosed || endsNumber(text[end]) || reader.afterSpace(end) > end ? { start, end } : undefined;
  }
}

function isString(byte: number | undefined): boolean {
  return byte === QUOTE;
}

function isContainer(byte: number | undefined): boolean {
  return byte === OPEN_BRACE || byte === OPEN_BRACKET;
}

/** With a quote the next key begins, even if its comma is missing. */
function endsNumber(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === QUOTE;
}

/** What `read` returns; undefined when it comes upon what is no JSON. */
function unlessBroken<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}

/** What `collect` finds in a text before it comes upon a string that is no JSON. */
export function foundIn(text: Buffer, collect: (found: FoundMembers) => void): OwnMembers {
  const found = new FoundMembers(text);
  unlessBroken(() => collect(found));
  const { id, isIdUnclear, hasMethod } = found;
  return { id, isIdUnclear, hasMethod };
}
