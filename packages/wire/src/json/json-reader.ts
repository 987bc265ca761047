import { jsonSkipper, NO_END, type JsonSkipper } from './json-skipper.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { sameBytes } from './key-paths.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LOWER_U = 0x75;
/** A lookup table with 1 for each byte that may follow a backslash, except `u`. */
const SIMPLE_ESCAPES = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) SIMPLE_ESCAPES[byte] = 1;

/** A lookup table with 1 for each byte that a string may contain unescaped. */
const IS_PLAIN_BYTE = new Uint8Array(256).fill(1, SPACE);
IS_PLAIN_BYTE[QUOTE] = 0;
IS_PLAIN_BYTE[BACKSLASH] = 0;

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LOWER_E = 0x65;
const UPPER_E = 0x45;

const LITERALS = ['true', 'false', 'null'].map((word) => Buffer.from(word));
/** A lookup table with 1 for each digit. */
const IS_DIGIT = new Uint8Array(256).fill(1, ZERO, NINE + 1);

/** The maximum nesting depth. Some peers fail much earlier than `JSON.parse`. `JSON.stringify` throws at 5,000 levels. */
export const MAX_JSON_DEPTH = 256;
const TOO_DEEP = `nesting deeper than ${MAX_JSON_DEPTH}`;
const MISSING_COMMA = 'neither a comma nor a closing bracket';

/** The maximum number of values (members and elements on all levels) in one text. Parsing more would block the peer. */
export const MAX_JSON_VALUES = 1_000_000;

/** The minimum size of a text, in bytes, for which calling WebAssembly pays off, even if it rescans a string. */
const MIN_WASM_CALL_BYTES = 512;
/** Strings of more bytes are skipped in WebAssembly. */
const MAX_SHORT_STRING_BYTES = 64;

/** Reads one member. Receives the offsets of its key (without quotes) and value. Returns the offset after the value. */
export type MemberReader = (keyStart: number, keyEnd: number, valueStart: number, depth: number) => number;
/** Reads one element. Receives the offset of its start and returns the offset after its end. */
export type ElementReader = (start: number, depth: number) => number;

/**
 * Walks the JSON of one line in place. Validates the whole grammar and builds no values. WebAssembly skips values in a
 * long line.
 *
 * Reading methods take a start offset and return the offset after the end. A forwarded body costs one pass and no
 * allocation. UTF-8 is not validated, because the bytes are forwarded unchanged.
 *
 * Bytes past the end read as `undefined`, which fails every comparison below. A truncated text therefore causes a
 * {@link JsonSyntaxError}, which every method can throw.
 */
export class JsonReader {
  private valueCount = 0;
  /** Undefined for a short line. Cleared when it rejects a value, so that the methods below find the exact error. */
  private skipper: JsonSkipper | undefined;

  constructor(private bytes: Buffer) {
    this.begin(bytes);
  }

  /** Starts reading another text. */
  begin(bytes: Buffer): void {
    this.bytes = bytes;
    this.valueCount = 0;
    this.skipper = bytes.length < MIN_WASM_CALL_BYTES ? undefined : jsonSkipper();
  }

  /** Returns the first offset from `at` on that is not white space. */
  afterSpace(at: number): number {
    const { bytes } = this;
    let byte = bytes[at] as number;
    // Most lines contain no white space.
    if (byte > 0x20) return at;
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      at += 1;
      byte = bytes[at] as number;
    }
    return at;
  }

  /** Throws if anything but white space follows `at`. */
  expectEnd(at: number): void {
    const end = this.afterSpace(at);
    if (end !== this.bytes.length) throw new JsonSyntaxError('text after the JSON value', end);
  }

  /** Skips one value of any type. */
  value(at: number, depth = 0): number {
    this.valueCount += 1;
    if (this.valueCount > MAX_JSON_VALUES) {
      throw new JsonSyntaxError(`more than ${MAX_JSON_VALUES} values`, at, true);
    }
    const firstByte = this.bytes[at] as number;
    if (firstByte === QUOTE) return this.string(at);
    if (firstByte === OPEN_BRACE || firstByte === OPEN_BRACKET) {
      const end = this.skipper && this.skipValue(this.skipper, at, MAX_JSON_DEPTH - depth);
      return end ?? (firstByte === OPEN_BRACE ? this.object(at, depth) : this.array(at, depth));
    }
    if (firstByte === MINUS || IS_DIGIT[firstByte] === 1) return this.skipNumber(at);
    for (const literal of LITERALS) {
      if (sameBytes(literal, this.bytes, at, at + literal.length)) return at + literal.length;
    }
    throw new JsonSyntaxError(at < this.bytes.length ? 'no JSON value' : 'the text ends too early', at);
  }

  /** Skips a string. */
  string(at: number): number {
    const { bytes, skipper } = this;
    const stop = skipper === undefined ? bytes.length : Math.min(at + MAX_SHORT_STRING_BYTES, bytes.length);
    let end = stringEnd(bytes, at, stop);
    if (skipper !== undefined) end ??= this.skipValue(skipper, at, 0) ?? stringEnd(bytes, at);
    if (end === undefined) throw new JsonSyntaxError('a string without an end', bytes.length);
    return end;
  }

  /** Reads an object. Without `read`, its members are skipped. */
  object(at: number, depth = 0, read?: MemberReader): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACE) throw new JsonSyntaxError('expected an object', at);
    if (depth >= MAX_JSON_DEPTH) throw new JsonSyntaxError(TOO_DEEP, at, true);
    at = this.afterSpace(at + 1);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    for (;;) {
      if (bytes[at] !== QUOTE) throw new JsonSyntaxError('expected an object key', at);
      const keyStart = at + 1;
      const keyEnd = this.string(at) - 1;
      at = this.afterSpace(keyEnd + 1);
      if (bytes[at] !== COLON) throw new JsonSyntaxError('expected a colon after an object key', at);
      at = this.afterSpace(at + 1);
      at = read === undefined ? this.value(at, depth + 1) : read(keyStart, keyEnd, at, depth + 1);
      at = this.afterSpace(at);
      if (bytes[at] === CLOSE_BRACE) return at + 1;
      if (bytes[at] !== COMMA) throw new JsonSyntaxError(MISSING_COMMA, at);
      at = this.afterSpace(at + 1);
    }
  }

  /** Reads an array. Without `read`, its elements are skipped. */
  array(at: number, depth = 0, read?: ElementReader): number {
    const { bytes } = this;
    if (bytes[at] !== OPEN_BRACKET) throw new JsonSyntaxError('expected an array', at);
    if (depth >= MAX_JSON_DEPTH) throw new JsonSyntaxError(TOO_DEEP, at, true);
    at = this.afterSpace(at + 1);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    for (;;) {
      at = this.afterSpace(read === undefined ? this.value(at, depth + 1) : read(at, depth + 1));
      if (bytes[at] === CLOSE_BRACKET) return at + 1;
      if (bytes[at] !== COMMA) throw new JsonSyntaxError(MISSING_COMMA, at);
      at = this.afterSpace(at + 1);
    }
  }

  /**
   * Returns the end of a value with at most `levels` levels of brackets, or undefined if WebAssembly cannot find it.
   */
  private skipValue(skipper: JsonSkipper, at: number, levels: number): number | undefined {
    const { bytes } = this;
    if (bytes.length - at < MIN_WASM_CALL_BYTES) return undefined;
    const end = skipper.skipValue(bytes, at, levels);
    // One of these is the value itself, which has already been counted.
    const values = this.valueCount + skipper.valueCount - 1;
    if (end === NO_END || values > MAX_JSON_VALUES) {
      this.skipper = undefined;
      return undefined;
    }
    this.valueCount = values;
    return end;
  }

  private skipNumber(at: number): number {
    const { bytes } = this;
    if (bytes[at] === MINUS) at += 1;
    at = bytes[at] === ZERO ? at + 1 : this.skipDigits(at);
    if (bytes[at] === DOT) at = this.skipDigits(at + 1);
    const exponentMark = bytes[at];
    if (exponentMark !== LOWER_E && exponentMark !== UPPER_E) return at;
    const sign = bytes[at + 1];
    return this.skipDigits(sign === PLUS || sign === MINUS ? at + 2 : at + 1);
  }

  private skipDigits(at: number): number {
    const { bytes } = this;
    const start = at;
    while (IS_DIGIT[bytes[at] as number] === 1) at += 1;
    if (at === start) throw new JsonSyntaxError('a number without digits', at);
    return at;
  }
}

/**
 * Returns the offset after the closing quote of the JSON string whose opening quote is at `at`. Returns undefined if
 * the string extends beyond `stop`. Rejects unknown escapes and raw control characters.
 *
 * @throws JsonSyntaxError
 */
function stringEnd(bytes: Buffer, at: number, stop = bytes.length): number | undefined {
  at += 1;
  for (;;) {
    while (at < stop && IS_PLAIN_BYTE[bytes[at] as number] === 1) at += 1;
    if (at >= stop) return undefined;
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) throw new JsonSyntaxError('a raw control character in a string', at);
    at = escapeEnd(bytes, at);
  }
}

function escapeEnd(bytes: Buffer, backslash: number): number {
  const escape = bytes[backslash + 1] as number;
  if (SIMPLE_ESCAPES[escape] === 1) return backslash + 2;
  if (escape !== LOWER_U) throw new JsonSyntaxError('an unknown escape', backslash);
  for (let at = backslash + 2; at < backslash + 6; at += 1) {
    if (!isHexDigit(bytes[at] as number)) throw new JsonSyntaxError('a broken \\u escape', backslash);
  }
  return backslash + 6;
}

function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
