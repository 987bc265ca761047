import { isRecord, parsedJson } from '@mcpmux/kit';

/** A message that one end of a link sends to the other. */
export type Frame =
  /** Requests a link to a node. */
  | { readonly kind: 'hello'; readonly hello: LinkRequest }
  | { readonly kind: 'accept' }
  /** Refuses or ends the link. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Carries a chunk of the stream. */
  | { readonly kind: 'data'; readonly number: number; readonly bytes: Buffer }
  /** Marks the end of the stream. */
  | { readonly kind: 'end'; readonly number: number }
  /**
   * Reports that the sender is alive, with the number of frames that it has sent and the number of bytes that its
   * reader has consumed. If `asks` is true, the receiver responds with an `alive` frame whose `asks` is false.
   */
  | {
      readonly kind: 'alive';
      readonly number: number;
      readonly consumedBytes: number;
      readonly asks: boolean;
    };

/** The JSON object of a `hello` frame, by which the receiver decides whether and how to serve the link. */
export type LinkRequest = Readonly<Record<string, unknown>>;

const FRAME_KINDS = ['hello', 'accept', 'refuse', 'data', 'end', 'alive'] as const;
const NUMBER_OFFSET = 1;
const CONSUMED_OFFSET = 9;
const ASKS_OFFSET = 17;
/** The length of the header of a `data` frame, in bytes. */
export const DATA_HEADER_BYTES = 9;

/** Encodes a frame. */
export function encodeFrame(frame: Frame): Buffer {
  switch (frame.kind) {
    case 'hello':
      return withKindByte(frame, Buffer.from(JSON.stringify(frame.hello)));
    case 'accept':
      return withKindByte(frame, Buffer.alloc(0));
    case 'refuse':
      return withKindByte(frame, Buffer.from(frame.reason));
    case 'data':
      return Buffer.concat([frameHeader(frame, frame.number, DATA_HEADER_BYTES), frame.bytes]);
    case 'end':
      return frameHeader(frame, frame.number, DATA_HEADER_BYTES);
    case 'alive': {
      const header = frameHeader(frame, frame.number, ASKS_OFFSET + 1);
      header.writeDoubleBE(frame.consumedBytes, CONSUMED_OFFSET);
      header[ASKS_OFFSET] = Number(frame.asks);
      return header;
    }
  }
}

/** Parses a message as a frame. Returns undefined if the message is not a valid frame. */
export function decodeFrame(data: Uint8Array): Frame | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const kind = FRAME_KINDS[bytes[0] ?? FRAME_KINDS.length];
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
        consumedBytes: bytes.readDoubleBE(CONSUMED_OFFSET),
        asks: bytes[ASKS_OFFSET] === 1,
      };
    case undefined:
      return undefined;
  }
}

function withKindByte({ kind }: Frame, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.of(FRAME_KINDS.indexOf(kind)), rest]);
}

function frameHeader({ kind }: Frame, number: number, length: number): Buffer {
  const head = Buffer.alloc(length);
  head[0] = FRAME_KINDS.indexOf(kind);
  head.writeDoubleBE(number, NUMBER_OFFSET);
  return head;
}

function parseHello(bytes: Buffer): Frame | undefined {
  const hello = parsedJson(bytes.toString('utf8', NUMBER_OFFSET));
  return isRecord(hello) ? { kind: 'hello', hello } : undefined;
}
