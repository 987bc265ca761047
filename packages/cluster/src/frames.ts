import { isRecord, parsedJson } from '@mcpmux/kit';

/** The messages of a link. */
export type Frame =
  /** Requests a link to a node. */
  | { readonly kind: 'hello'; readonly hello: LinkRequest }
  | { readonly kind: 'accept' }
  /** Refuses the link, or ends it. */
  | { readonly kind: 'refuse'; readonly reason: string }
  /** Carries bytes. */
  | { readonly kind: 'data'; readonly number: number; readonly bytes: Buffer }
  /** Announces that no further bytes follow. */
  | { readonly kind: 'end'; readonly number: number }
  /**
   * Shows that the sender is alive, with the number of frames that it has sent and the number of bytes that its reader
   * has taken. If `asks` is true, the receiver responds with an `alive` frame that does not ask.
   */
  | { readonly kind: 'alive'; readonly number: number; readonly taken: number; readonly asks: boolean };

/** The purpose of a link. */
export type LinkRequest = Readonly<Record<string, unknown>>;

const KINDS = ['hello', 'accept', 'refuse', 'data', 'end', 'alive'] as const;
const NUMBER_AT = 1;
const TAKEN_AT = 9;
const ASKS_AT = 17;
/** The number of bytes of a `data` frame before its content. */
export const DATA_HEAD = 9;

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
      return Buffer.concat([numbered(frame, frame.number, DATA_HEAD), frame.bytes]);
    case 'end':
      return numbered(frame, frame.number, DATA_HEAD);
    case 'alive': {
      const head = numbered(frame, frame.number, ASKS_AT + 1);
      head.writeDoubleBE(frame.taken, TAKEN_AT);
      head[ASKS_AT] = Number(frame.asks);
      return head;
    }
  }
}

/** Parses a message as a frame; undefined if the message is not a valid frame. */
export function decodeFrame(data: Uint8Array): Frame | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const kind = KINDS[bytes[0] ?? KINDS.length];
  switch (kind) {
    case 'hello':
      return helloIn(bytes);
    case 'accept':
      return { kind };
    case 'refuse':
      return { kind, reason: bytes.toString('utf8', NUMBER_AT) };
    case 'data':
    case 'end':
      if (bytes.length < DATA_HEAD) return undefined;
      return { kind, number: bytes.readDoubleBE(NUMBER_AT), bytes: bytes.subarray(DATA_HEAD) };
    case 'alive':
      if (bytes.length <= ASKS_AT) return undefined;
      return {
        kind,
        number: bytes.readDoubleBE(NUMBER_AT),
        taken: bytes.readDoubleBE(TAKEN_AT),
        asks: bytes[ASKS_AT] === 1,
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
  head.writeDoubleBE(number, NUMBER_AT);
  return head;
}

function helloIn(bytes: Buffer): Frame | undefined {
  const hello = parsedJson(bytes.toString('utf8', NUMBER_AT));
  return isRecord(hello) ? { kind: 'hello', hello } : undefined;
}
