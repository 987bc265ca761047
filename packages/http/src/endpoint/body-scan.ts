/** Bounds on the JSON in a body, checked before any value is built. */
export interface BodyBounds {
  readonly levels: number;
  /** The number of elements, members and keys on all levels. A member counts twice, because its key is costly. */
  readonly values: number;
  /** The number of messages in a batch. */
  readonly messages: number;
}

const OTHER = 0;
const SPACE = 1;
const TEXT = 2;
const OBJECT = 3;
const ARRAY = 4;
const END = 5;
const COMMA = 6;
const COLON = 7;

const BACKSLASH = 0x5c;
const QUOTE = 0x22;
/** The kind of each byte outside strings. */
const KINDS = new Uint8Array(256);
for (const [characters, kind] of [
  // A byte order mark counts as white space, because the decoder of the body skips it.
  [' \t\n\r\uFEFF', SPACE],
  ['"', TEXT],
  ['{', OBJECT],
  ['[', ARRAY],
  ['}]', END],
  [',', COMMA],
  [':', COLON],
] as const) {
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind;
}

/**
 * Scans the JSON of a body as it arrives, and finds the first exceeded bound. The scan builds no values and does not
 * check the grammar. For invalid JSON, the result is meaningless.
 */
export class BodyScan {
  private levels = 0;
  private values = 0;
  private messages = 0;
  /** True if the body is an array. The elements on its first level are messages. */
  private isBatch = false;
  private isText = false;
  /** True if the last byte was an escaping backslash in a string. The next byte then cannot end the string. */
  private isEscaped = false;
  /** True at the beginning and after an opening bracket, where a value needs no preceding comma. */
  private isFirst = true;

  constructor(private readonly bounds: BodyBounds) {}

  /** Reads the next part. Returns the bound that the body now exceeds, if any. */
  read(part: Uint8Array): keyof BodyBounds | undefined {
    let at = 0;
    while (at < part.length) {
      if (this.isText) at = this.endOfText(part, at);
      const byte = part[at];
      if (byte === undefined) break;
      at += 1;
      const kind = KINDS[byte] ?? OTHER;
      if (kind === SPACE || (kind === OTHER && !this.isFirst)) continue;
      this.take(kind);
      const { bounds } = this;
      if (this.levels > bounds.levels) return 'levels';
      if (this.values > bounds.values) return 'values';
      if (this.messages > bounds.messages) return 'messages';
    }
    return undefined;
  }

  private take(kind: number): void {
    if (this.isFirst && kind !== END) this.begin(kind);
    switch (kind) {
      case TEXT:
        this.isText = true;
        return;
      case OBJECT:
      case ARRAY:
        this.levels += 1;
        this.isFirst = true;
        return;
      case END:
        this.levels -= 1;
        this.isFirst = false;
        return;
      case COMMA:
        return this.count();
      case COLON:
        this.values += 1;
    }
  }

  /** Begins the first value of the body, or of an object or array. */
  private begin(kind: number): void {
    this.isFirst = false;
    if (this.levels === 0) this.isBatch = kind === ARRAY;
    this.count();
  }

  private count(): void {
    this.values += 1;
    if (this.isBatch && this.levels === 1) this.messages += 1;
  }

  /** Returns the offset after the string that contains `at`, or the end of the part. */
  private endOfText(part: Uint8Array, at: number): number {
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
      this.isText = false;
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
