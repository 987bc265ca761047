/** Limits on the JSON in a body, which are checked before any value is built. */
export interface BodyBounds {
  readonly levels: number;
  /**
   * The number of elements, members and keys on all levels. A member counts twice, because building its key is costly.
   */
  readonly values: number;
  /** The number of messages in a batch. */
  readonly messages: number;
}

const OTHER = 0;
const SPACE = 1;
const STRING = 2;
const OBJECT = 3;
const ARRAY = 4;
const CLOSING_BRACKET = 5;
const COMMA = 6;
const COLON = 7;

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
/** The kind of each byte outside strings. */
const BYTE_KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  // A byte order mark counts as white space, because the decoder skips it.
  [' \t\n\r\uFEFF', SPACE],
  ['"', STRING],
  ['{', OBJECT],
  ['[', ARRAY],
  ['}]', CLOSING_BRACKET],
  [',', COMMA],
  [':', COLON],
] as const) {
  for (const byte of Buffer.from(characters)) BYTE_KINDS[byte] = kind;
}

/**
 * Scans a body's JSON as it arrives, and finds the first limit that it exceeds. Builds no values and does not check the
 * grammar. If the JSON is invalid, the result is meaningless.
 */
export class BodyScan {
  private depth = 0;
  private valueCount = 0;
  private messageCount = 0;
  /** True if the body is an array, whose top-level elements are messages. */
  private isBatch = false;
  private isInString = false;
  /** True if the last byte was an escaping backslash in a string, so that the next byte cannot end the string. */
  private isEscaped = false;
  /** True at the start and after an opening bracket, where no comma precedes a value. */
  private expectsValue = true;

  constructor(private readonly bounds: BodyBounds) {}

  /** Scans the next chunk. Returns the limit that the body now exceeds, if any. */
  read(part: Uint8Array): keyof BodyBounds | undefined {
    let at = 0;
    while (at < part.length) {
      if (this.isInString) at = this.endOfString(part, at);
      const byte = part[at];
      if (byte === undefined) break;
      at += 1;
      const kind = BYTE_KINDS[byte] ?? OTHER;
      if (kind === SPACE || (kind === OTHER && !this.expectsValue)) continue;
      this.handleKind(kind);
      const { bounds } = this;
      if (this.depth > bounds.levels) return 'levels';
      if (this.valueCount > bounds.values) return 'values';
      if (this.messageCount > bounds.messages) return 'messages';
    }
    return undefined;
  }

  private handleKind(kind: number): void {
    if (this.expectsValue && kind !== CLOSING_BRACKET) this.beginValue(kind);
    switch (kind) {
      case STRING:
        this.isInString = true;
        return;
      case OBJECT:
      case ARRAY:
        this.depth += 1;
        this.expectsValue = true;
        return;
      case CLOSING_BRACKET:
        this.depth -= 1;
        this.expectsValue = false;
        return;
      case COMMA:
        return this.countValue();
      case COLON:
        this.valueCount += 1;
    }
  }

  /** Begins the first value of the body, or of an object or array. */
  private beginValue(kind: number): void {
    this.expectsValue = false;
    if (this.depth === 0) this.isBatch = kind === ARRAY;
    this.countValue();
  }

  private countValue(): void {
    this.valueCount += 1;
    if (this.isBatch && this.depth === 1) this.messageCount += 1;
  }

  /**
   * Returns the offset after the string that contains `at`, or the chunk's length if the string continues beyond it.
   */
  private endOfString(part: Uint8Array, at: number): number {
    let from = this.isEscaped ? at + 1 : at;
    for (;;) {
      const quote = part.indexOf(QUOTE, from);
      const end = quote === -1 ? part.length : quote;
      const isEscaped = isOdd(backslashesBefore(part, end, from));
      if (quote === -1) {
        this.isEscaped = isEscaped || from > part.length;
        return part.length;
      }
      from = quote + 1;
      if (isEscaped) continue;
      this.isEscaped = false;
      this.isInString = false;
      return from;
    }
  }
}

function backslashesBefore(part: Uint8Array, end: number, from: number): number {
  let at = end;
  while (at > from && part[at - 1] === BACKSLASH) at -= 1;
  return end - at;
}

function isOdd(count: number): boolean {
  return count % 2 === 1;
}
