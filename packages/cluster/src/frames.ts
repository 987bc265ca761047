import { isRecord, parsedJson } from '@mcpmux/kit';

/** The messages of a link. */
export type Frame =
  /** Requests a link to a node. */
  | { readonly kind: 'hello'; readonly hello: LinkRequest }
  | { readonly kind: 'accept' }
  /** Refuses or ends the link. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Carries bytes. */
  | { readonly kind: 'data'; readonly number: number; readonly bytes: Buffer }
  /** Marks the end of the stream. */
  | { readonly kind: 'end'; readonly number: number }
  /**
   * Reports that the sender is alive, with the number of frames that it has sent and the number of bytes that its
   * reader has consumed. If `asks` is true, the receiver responds with an `alive` frame whose `asks` is false.
   */
  | { readonly kind: 'alive'; readonly number: number; readonly taken: number; readonly asks: boolean };

/** The purpose of a link. */
export type LinkRequest = Readonly<Record<string, unknown>>;

const KINDS = ['hello', 'accept', 'refuse', 'data', 'end', 'alive'] as const;
const NUMBER_OFFSET = 1;
const TAKEN_OFFSET = 9;
const ASKS_OFFSET = 17;
/** The length of the header of a `data` frame, in bytes. */
export const DATA_HEADER_BYTES = 9;

/** Returns the bytes of a frame. */
export function encodeFrame(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'hello':
      return withKind(frame, Buffer.from(JSON.stringify(frame.hello)));
    case 'accept':
      return withKind(frame, Buffer.alloc(0));
    case 'refuse':
      return withKind(frame, Buffer.from(frame.reason));
    case 'data':
      return Buffer.concat([numbered(frame, frame.number, DATA_HEADER_BYTES), frame.bytes]);
    case 'end':
      return numbered(frame, frame.number, DATA_HEADER_BYTES);
    case 'alive': {
      const head = numbered(frame, frame.number, ASKS_OFFSET + 1);
      head.writeDoubleBE(frame.taken, TAKEN_OFFSET);
      head[ASKS_OFFSET] = Number(frame.asks);
      return head;
    }
  }
}

/** Parses a message as a frame. Returns undefined if the message is not a valid frame. */
export function decodeFrame(data: Uint8Array): Frame | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const kind = KINDS[bytes[0] ?? KINDS.length];
  switch (kind) {
    case 'hello':
      return parseHello(bytes);
    case 'accept':
      return { kind };
    case 'refuse':
      return { kind, reason: bytes.toString('utf8', NUMBER_OFFSET) };
    case 'data':
    case 'end':
      if (bytes.length < DATA_HEADER_BYTES) return undefined;
      return { kind, number: bytes.readDoubleBE(NUMBER_OFFSET), bytes: bytes.subarray(DATA_HEADER_BYTES) };
    case 'alive':
      if (bytes.length <= ASKS_OFFSET) return undefined;
      return {
        kind,
        number: bytes.readDoubleBE(NUMBER_OFFSET),
        taken: bytes.readDoubleBE(TAKEN_OFFSET),
        asks: bytes[ASKS_OFFSET] === 1,
      };
    case undefined:
      return undefined;
  }
}

function withKind({ kind }: Frame, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.of(KINDS.indexOf(kind)), rest]);
}

function numbered({ kind }: Frame, number: number, length: number): Buffer {
  const head = Buffer.alloc(length);
  head[0] = KINDS.indexOf(kind);
  head.writeDoubleBE(number, NUMBER_OFFSET);
  return head;
}

function parseHello(bytes: Buffer): Frame | undefined {
  const hello = parsedJson(bytes.toString('utf8', NUMBER_OFFSET));
  return isRecord(hello) ? { kind: 'hello', hello } : undefined;
}
