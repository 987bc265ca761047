import { isRecord, parsedJson } from '@mcpmux/core';
import {
  idKey,
  keyPaths,
  type Message,
  MessageReader,
  readId,
  type Span,
  visitBatch,
  type RawId,
  stringId,
} from '@mcpmux/wire';

/** A request found in a body. */
export interface PostedRequest {
  readonly kind: 'request';
  readonly line: Buffer;
  /** The `idKey` of the request's id. */
  readonly id: string;
  readonly method: string;
  /** The `idKey` of the request's progress token. */
  readonly progressToken: string | undefined;
}

/** The parts of a posted message that the HTTP front uses. The mux receives `line`. */
export type PostedMessage =
  | PostedRequest
  | {
      readonly kind: 'notification';
      readonly line: Buffer;
      readonly method: string;
      /** The `idKey` of the request that this notification cancels. */
      readonly cancelledId: string | undefined;
    }
  | { readonly kind: 'response'; readonly line: Buffer };

/** The reason why a body is rejected. */
export interface BodyProblem {
  readonly problem: string;
  readonly isJson: boolean;
}

/** The reason for a body that is not valid JSON. */
export const INVALID_JSON: BodyProblem = { problem: 'The body is not JSON in UTF-8.', isJson: false };
/** The reason for JSON that is not a message. */
export const NOT_A_MESSAGE: BodyProblem = { problem: 'The body is not a JSON-RPC message.', isJson: true };

const LINE_BREAKS = [0x0a, 0x0d];
const SPACE = 0x20;

/** Makes JSON one line, in place. Replaces line breaks, which occur only between tokens, with spaces. */
export function toOneLine(json: Buffer): Buffer {
  for (const byte of LINE_BREAKS) {
    for (let at = json.indexOf(byte); at !== -1; at = json.indexOf(byte, at + 1)) json[at] = SPACE;
  }
  return json;
}

/** The messages in a body. */
export interface PostedBody {
  readonly messages: readonly PostedMessage[];
  readonly isBatch: boolean;
}

/** The `initialize` params that opening a session requires. Their types have not been checked. */
interface InitializeParams {
  readonly protocolVersion?: unknown;
  readonly capabilities?: unknown;
  readonly clientInfo?: { readonly name?: unknown; readonly version?: unknown } | null;
}

type CallMessage = Extract<Message, { kind: 'request' | 'notification' }>;

const META_PATH = '_meta';
const PROGRESS_TOKEN_PATH = '_meta.progressToken';
const CANCELLED_METHOD = 'notifications/cancelled';
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;

/** One reader suffices for all bodies of this thread, because each body is read synchronously. */
const reader = new MessageReader(keyPaths([META_PATH, PROGRESS_TOKEN_PATH, 'requestId']));

/** Reads the messages in a body. The mux receives each message as one line, unchanged except for line breaks. */
export function readPostedBody(body: Buffer): PostedBody | BodyProblem {
  if (firstNonSpaceByte(body) === OPEN_BRACKET) return readPostedBatch(body);
  const message = readPostedMessage(body);
  return 'problem' in message ? message : { messages: [message], isBatch: false };
}

/** Returns the keys of the requests in a body. Responses are ignored. */
export function requestKeysIn({ messages }: PostedBody): readonly string[] {
  return messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
}

/** Returns the `initialize` request if it is the only message in the body. */
export function initializeRequestIn({ messages, isBatch }: PostedBody): PostedRequest | undefined {
  const [message] = messages;
  return !isBatch && message !== undefined && isInitialize(message) ? message : undefined;
}

/** True if the message's method opens a session. */
export function isInitialize(message: PostedMessage): message is PostedRequest {
  return message.kind === 'request' && message.method === 'initialize';
}

/** True if a message is an `initialize` request with all the params that opening a session requires. */
export function canOpenSession(message: PostedMessage): boolean {
  if (!isInitialize(message)) return false;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the params are an object with unknown members
  const { params = {} } = JSON.parse(message.line.toString()) as { readonly params?: InitializeParams };
  const { protocolVersion, capabilities, clientInfo } = params;
  const isText = [protocolVersion, clientInfo?.name, clientInfo?.version].every(
    (text) => typeof text === 'string',
  );
  return isText && typeof capabilities === 'object' && capabilities !== null;
}

function readPostedBatch(body: Buffer): PostedBody | BodyProblem {
  const messages: PostedMessage[] = [];
  let failure: BodyProblem | undefined;
  const end = visitBatch(body, (element) => {
    const message = failure ?? readPostedMessage(element);
    if ('problem' in message) failure = message;
    else messages.push(message);
  });
  return end === body.length ? (failure ?? { messages, isBatch: true }) : INVALID_JSON;
}

function readPostedMessage(bytes: Buffer): PostedMessage | BodyProblem {
  const message = reader.read(bytes);
  switch (message.kind) {
    case 'malformed':
      return message.isJson ? readInvalidCall(bytes) : INVALID_JSON;
    case 'response':
      return isObjectAt(bytes, message.result ?? message.error)
        ? { kind: 'response', line: toOneLine(bytes) }
        : NOT_A_MESSAGE;
    case 'notification': {
      if (!isValidCall(bytes, message)) return NOT_A_MESSAGE;
      const { method, params } = message;
      const cancelledId = method === CANCELLED_METHOD ? idKeyAt(bytes, params.get('requestId')) : undefined;
      return { kind: 'notification', line: toOneLine(bytes), method, cancelledId };
    }
    case 'request':
      return isValidCall(bytes, message) ? readPostedRequest(bytes, message) : NOT_A_MESSAGE;
  }
}

function readPostedRequest(
  bytes: Buffer,
  { id, method, params }: Extract<Message, { kind: 'request' }>,
): PostedMessage | BodyProblem {
  const read = readId(bytes, id);
  if ('problem' in read) return { problem: `The ${read.problem}.`, isJson: true };
  const key = idKey(read.id);
  if (key.codePointAt(0) !== QUOTE && !Number.isSafeInteger(Number(key)))
    return { problem: 'An id that is a number must be below 2^53.', isJson: true };
  const progressToken = idKeyAt(bytes, params.get(PROGRESS_TOKEN_PATH));
  return { kind: 'request', line: toOneLine(bytes), id: key, method, progressToken };
}

/** True if a message is a valid request or notification in every revision. */
function isValidCall(bytes: Buffer, { versioned, hasOddParams, params }: CallMessage): boolean {
  if (!versioned || hasOddParams === true) return false;
  const meta = params.get(META_PATH);
  if (meta === undefined) return true;
  const token = params.get(PROGRESS_TOKEN_PATH);
  return isObjectAt(bytes, meta) && (token === undefined || idKeyAt(bytes, token) !== undefined);
}

function idKeyAt(bytes: Buffer, span: Span | undefined): string | undefined {
  const read = span && readId(bytes, span);
  return read && 'id' in read ? idKey(read.id) : undefined;
}

function isObjectAt(bytes: Buffer, span: Span | undefined): boolean {
  return span !== undefined && bytes[span.start] === OPEN_BRACE;
}

function firstNonSpaceByte(body: Buffer): number | undefined {
  return body.find((byte) => byte > SPACE);
}

const CALL_MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

/**
 * Reads a call that the strict reader rejects because a member is duplicated or the nesting is too deep, so that the
 * mux can reject it with a precise reason. JSON with a member that calls do not have is not treated as a message.
 */
function readInvalidCall(bytes: Buffer): PostedMessage | BodyProblem {
  const value = parsedJson(bytes.toString());
  if (value === undefined) return INVALID_JSON;
  if (!isRecord(value) || Object.keys(value).some((key) => !CALL_MEMBERS.has(key))) return NOT_A_MESSAGE;
  const { jsonrpc, id, method, params = {} } = value;
  if (jsonrpc !== '2.0' || typeof method !== 'string' || !isRecord(params)) return NOT_A_MESSAGE;
  const line = toOneLine(bytes);
  if (!('id' in value)) return { kind: 'notification', line, method, cancelledId: undefined };
  const key = idKeyOf(id);
  return key === undefined
    ? NOT_A_MESSAGE
    : { kind: 'request', line, id: key, method, progressToken: undefined };
}

function idKeyOf(id: unknown): string | undefined {
  if (typeof id === 'string') return idKey(stringId(id));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the text of an integer is an id
  return Number.isSafeInteger(id) ? idKey(String(id) as RawId) : undefined;
}
