import { isDeepStrictEqual } from 'node:util';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { type Edit, ErrorCode, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import { parseJsonObject } from '../base/json-object.js';
import type { RecordedLine } from './recorded-line.js';

/** A recorded client message. `ids` is set once the current client has sent the same message. */
interface ClientEntry {
  readonly message: JsonObject;
  ids?: { readonly id: Buffer; readonly token: Buffer };
}

/** A recorded line from the server, and the client messages that must precede it. */
interface ServerEntry {
  readonly line: Buffer;
  /** The request that the line refers to, or else the last client message before the line. */
  readonly owner: ClientEntry | undefined;
  /** True if the line is the response to `owner`. */
  readonly isAnswer: boolean;
  /** The client's answers to questions of the same owner that were recorded before this line. */
  readonly earlierAnswers: readonly ClientEntry[];
  isSent: boolean;
}

const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId';
const ID_PATHS = valuePaths([['id']]);
const REQUEST_TOKEN_PATHS = valuePaths([['params', '_meta', 'progressToken']]);
const NOTIFICATION_TOKEN_PATHS = valuePaths([['params', 'progressToken']]);
const SUBSCRIPTION_ID_PATHS = valuePaths([['params', '_meta', SUBSCRIPTION_ID_KEY]]);
const JSON_NULL = Buffer.from('null');
/** Requests that match by method alone, because their params differ between clients. */
const HANDSHAKE_METHODS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/**
 * Acts as the recorded server. Matches client messages by method and params, in any order. Repeats the server's lines
 * byte for byte, except for ids and progress tokens, which it replaces with values from the current client.
 */
export class Replay {
  private readonly clientEntries: readonly ClientEntry[];
  private readonly serverEntries: readonly ServerEntry[];

  /** @param redact masks secrets in the current client's lines, so that they match the recording */
  constructor(
    lines: readonly RecordedLine[],
    private readonly redact: (line: Buffer) => Buffer,
  ) {
    const { clients, servers } = parseEntries(lines);
    this.clientEntries = clients;
    this.serverEntries = servers;
  }

  /** Returns the lines that the server sent before the first client message. */
  start(): readonly Buffer[] {
    return this.takeReadyLines();
  }

  /** Returns the server's lines that are due after a client's line, or an error response to an unrecorded request. */
  receive(line: Buffer): readonly Buffer[] {
    const message = parseJsonObject(this.redact(line).toString('utf8'));
    if (message === undefined) return [];
    const matchingEntries = this.clientEntries.filter((entry) => isSameMessage(entry.message, message));
    const entry = matchingEntries.find(({ ids }) => ids === undefined) ?? matchingEntries.at(-1);
    const ids = { id: valueBytes(line, ID_PATHS), token: valueBytes(line, REQUEST_TOKEN_PATHS) };
    if (entry === undefined)
      return message['id'] === undefined || !('method' in message) ? [] : [noAnswerLine(message, ids)];
    const isRepeated = entry.ids !== undefined;
    entry.ids = ids;
    if (!isRepeated) return this.takeReadyLines();
    return this.serverEntries
      .filter(({ owner, isAnswer }) => isAnswer && owner === entry)
      .map((answer) => withCurrentIds(answer));
  }

  private takeReadyLines(): readonly Buffer[] {
    const lines: Buffer[] = [];
    for (const entry of this.serverEntries) {
      const isOwnerReceived = entry.owner === undefined || entry.owner.ids !== undefined;
      if (entry.isSent || !isOwnerReceived || entry.earlierAnswers.some(({ ids }) => ids === undefined))
        continue;
      entry.isSent = true;
      lines.push(withCurrentIds(entry));
    }
    return lines;
  }
}

function parseEntries(lines: readonly RecordedLine[]) {
  const clients: ClientEntry[] = [];
  const servers: ServerEntry[] = [];
  const questions: OwnedMessage[] = [];
  const answers: OwnedMessage[] = [];
  for (const { from, line } of lines) {
    const message = parseJsonObject(line.toString('utf8')) ?? {};
    if (from === 'client') {
      const entry = { message };
      clients.push(entry);
      if ('method' in message || !('id' in message)) continue;
      const answeredQuestion = questions.findLast((question) =>
        isDeepStrictEqual(question.entry.message['id'], message['id']),
      );
      answers.push({ entry, owner: answeredQuestion?.owner });
    } else if (from === 'server') {
      const lastMessage = clients.at(-1);
      // A line after the client's answer to a question belongs to the request that led to the question.
      const lastAnswer = answers.find(({ entry }) => entry === lastMessage);
      const { owner = lastAnswer?.owner ?? lastMessage, isAnswer = false } = ownerOf(message, clients);
      const earlierAnswers = answers.filter((answer) => answer.owner === owner).map(({ entry }) => entry);
      servers.push({ line, owner, isAnswer, earlierAnswers, isSent: false });
      if ('method' in message && 'id' in message) questions.push({ entry: { message }, owner });
    }
  }
  return { clients, servers };
}

/** A question or its answer. `owner` is the client message that led to the question. */
interface OwnedMessage {
  readonly entry: ClientEntry;
  readonly owner: ClientEntry | undefined;
}

/** Returns the request that a server message refers to by id, progress token or subscription id, if there is one. */
function ownerOf(
  message: JsonObject,
  clients: readonly ClientEntry[],
): Partial<Pick<ServerEntry, 'owner' | 'isAnswer'>> {
  const { id, method, params } = message;
  const requests = clients.filter((entry) => 'method' in entry.message);
  const lastRequest = (matches: (request: JsonObject) => boolean) =>
    requests.findLast((entry) => matches(entry.message));
  if (method === undefined && id !== undefined)
    return { owner: lastRequest((request) => request['id'] === id), isAnswer: true };
  if (!isObject(params)) return {};
  const { progressToken: token, _meta: meta } = params;
  const subscription = isObject(meta) ? meta[SUBSCRIPTION_ID_KEY] : undefined;
  const owner =
    token === undefined
      ? subscription !== undefined && lastRequest((request) => request['id'] === subscription)
      : lastRequest((request) => requestTokenOf(request) === token);
  return owner ? { owner } : {};
}

function requestTokenOf({ params }: JsonObject): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta['progressToken'] : undefined;
}

/** Compares answers by id, handshake requests by method, and other messages by method and params, except `_meta`. */
function isSameMessage(recorded: JsonObject, message: JsonObject): boolean {
  if (recorded['method'] !== message['method']) return false;
  if (!('method' in message)) return isDeepStrictEqual(recorded['id'], message['id']);
  if ('id' in recorded !== 'id' in message) return false;
  return (
    HANDSHAKE_METHODS.has(message['method']) ||
    isDeepStrictEqual(comparableParams(recorded), comparableParams(message))
  );
}

function comparableParams({ params, method }: JsonObject): unknown {
  if (!isObject(params)) return {};
  const { _meta: _, requestId, ...others } = params;
  return method === 'notifications/cancelled' || requestId === undefined ? others : { ...others, requestId };
}

/** Returns a recorded server line, with its ids and progress token replaced with values from the current client. */
function withCurrentIds({ line, owner, isAnswer }: ServerEntry): Buffer {
  const { ids, message } = owner ?? {};
  if (ids === undefined || message === undefined) return line;
  const edits: Edit[] = [];
  const replace = (paths: ReturnType<typeof valuePaths>, bytes: Buffer): void => {
    for (const { span } of valueSpans(line, { start: 0, end: line.length }, paths))
      edits.push({ span, bytes });
  };
  if (isAnswer) replace(ID_PATHS, ids.id);
  else if (parseJsonObject(line.toString('utf8')) !== undefined) {
    if (requestTokenOf(message) !== undefined) replace(NOTIFICATION_TOKEN_PATHS, ids.token);
    if ('id' in message) replace(SUBSCRIPTION_ID_PATHS, ids.id);
  }
  return edits.length === 0 ? line : splice(line, edits).subarray(0, -1);
}

function valueBytes(line: Buffer, paths: ReturnType<typeof valuePaths>): Buffer {
  const [found] = valueSpans(line, { start: line.indexOf('{'), end: line.length }, paths);
  return found === undefined ? JSON_NULL : Buffer.from(line.subarray(found.span.start, found.span.end));
}

function noAnswerLine({ method }: JsonObject, { id }: { readonly id: Buffer }): Buffer {
  const message = `The recording has no answer to this ${String(method)}: it was recorded with other params, or not at all.`;
  const error = JSON.stringify({ code: ErrorCode.InternalError, message });
  return Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":'), id, Buffer.from(`,"error":${error}}`)]);
}
