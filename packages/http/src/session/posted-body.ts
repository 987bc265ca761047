import { idKey, keyPaths, type Message, MessageReader, readId, type Span, visitBatch } from '@mcpmux/wire';

import { looseMessage } from './loose-message.js';
import { inOneLine, NO_JSON, NO_MESSAGE, type BodyProblem, type PostedMessage } from './posted-message.js';

/** The messages in a body. */
export interface PostedBody {
  readonly messages: readonly PostedMessage[];
  readonly isBatch: boolean;
}

type Calling = Extract<Message, { kind: 'request' | 'notification' }>;

const META = '_meta';
const PROGRESS_TOKEN = '_meta.progressToken';
const CANCELLED = 'notifications/cancelled';
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const QUOTE = 0x22;
const SPACE = 0x20;

/** One reader for all bodies of this thread, because each body is read synchronously. */
const reader = new MessageReader(keyPaths([META, PROGRESS_TOKEN, 'requestId']));

/** Reads the messages in a body. The mux gets their bytes unchanged, in one line for each message. */
export function postedBody(body: Buffer): PostedBody | BodyProblem {
  if (firstByte(body) === OPEN_BRACKET) return postedBatch(body);
  const message = postedMessage(body);
  return 'problem' in message ? message : { messages: [message], isBatch: false };
}

/** Returns the keys of the requests in a body. Ids of responses do not count. */
export function requestIds({ messages }: PostedBody): readonly string[] {
  return messages.flatMap((message) => (message.kind === 'request' ? [message.id] : []));
}

function postedBatch(body: Buffer): PostedBody | BodyProblem {
  const messages: PostedMessage[] = [];
  let wrong: BodyProblem | undefined;
  const end = visitBatch(body, (element) => {
    const message = wrong ?? postedMessage(element);
    if ('problem' in message) wrong = message;
    else messages.push(message);
  });
  return end === body.length ? (wrong ?? { messages, isBatch: true }) : NO_JSON;
}

function postedMessage(bytes: Buffer): PostedMessage | BodyProblem {
  const message = reader.read(bytes);
  switch (message.kind) {
    case 'malformed':
      return message.isJson ? looseMessage(bytes) : NO_JSON;
    case 'response':
      return isObjectAt(bytes, message.result ?? message.error)
        ? { kind: 'response', line: inOneLine(bytes) }
        : NO_MESSAGE;
    case 'notification': {
      if (!isCall(bytes, message)) return NO_MESSAGE;
      const { method, params } = message;
      const cancels = method === CANCELLED ? keyAt(bytes, params.get('requestId')) : undefined;
      return { kind: 'notification', line: inOneLine(bytes), method, cancels };
    }
    case 'request':
      return isCall(bytes, message) ? postedRequest(bytes, message) : NO_MESSAGE;
  }
}

function postedRequest(
  bytes: Buffer,
  { id, method, params }: Extract<Message, { kind: 'request' }>,
): PostedMessage | BodyProblem {
  const read = readId(bytes, id);
  if ('problem' in read) return { problem: `The ${read.problem}.`, isJson: true };
  const key = idKey(read.id);
  if (key.codePointAt(0) !== QUOTE && !Number.isSafeInteger(Number(key)))
    return { problem: 'An id that is a number must be below 2^53.', isJson: true };
  const progressToken = keyAt(bytes, params.get(PROGRESS_TOKEN));
  return { kind: 'request', line: inOneLine(bytes), id: key, method, progressToken };
}

/** True if a message is a request or a notification in every revision. */
function isCall(bytes: Buffer, { versioned, hasOddParams, params }: Calling): boolean {
  if (!versioned || hasOddParams === true) return false;
  const meta = params.get(META);
  if (meta === undefined) return true;
  const token = params.get(PROGRESS_TOKEN);
  return isObjectAt(bytes, meta) && (token === undefined || keyAt(bytes, token) !== undefined);
}

function keyAt(bytes: Buffer, span: Span | undefined): string | undefined {
  const read = span && readId(bytes, span);
  return read && 'id' in read ? idKey(read.id) : undefined;
}

function isObjectAt(bytes: Buffer, span: Span | undefined): boolean {
  return span !== undefined && bytes[span.start] === OPEN_BRACE;
}

function firstByte(body: Buffer): number | undefined {
  return body.find((byte) => byte > SPACE);
}
