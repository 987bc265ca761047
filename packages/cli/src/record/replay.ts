import { isDeepStrictEqual } from 'node:util';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { type Edit, ErrorCode, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import { jsonObject } from '../base/json-object.js';
import type { RecordedLine } from './recorded-line.js';

/** A recorded message from a client, and the ids of the same message from the current client. */
interface ClientEntry {
  readonly message: JsonObject;
  ids?: { readonly id: Buffer; readonly token: Buffer };
}

/** A recorded line from the server, and the client messages that must precede it. */
interface ServerEntry {
  readonly line: Buffer;
  /** The request that the line belongs to, or the last client message before it. */
  readonly owner: ClientEntry | undefined;
  /** True if the line is the response to its owner. */
  readonly isAnswer: boolean;
  /** The client's earlier answers to questions of the same owner. */
  readonly after: readonly ClientEntry[];
  isSent: boolean;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const IDS = valuePaths([['id']]);
const TOKENS = valuePaths([['params', '_meta', 'progressToken']]);
const OWN_TOKENS = valuePaths([['params', 'progressToken']]);
const SUBSCRIPTIONS = valuePaths([['params', '_meta', SUBSCRIPTION]]);
const NULL = Buffer.from('null');
/** Requests with params that depend on the client. */
const OPENINGS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/**
 * Replays the server of a recording. Client messages are matched by method and params, in any order. The server's lines
 * are repeated byte for byte, except ids and progress tokens, which come from the current client.
 */
export class Replay {
  private readonly clients: readonly ClientEntry[];
  private readonly servers: readonly ServerEntry[];

  /** @param redact masks secrets in a line from the current client, as in the recording */
  constructor(
    lines: readonly RecordedLine[],
    private readonly redact: (line: Buffer) => Buffer,
  ) {
    const { clients, servers } = entriesOf(lines);
    this.clients = clients;
    this.servers = servers;
  }

  /** Returns the lines that the server sent before the first client message. */
  start(): readonly Buffer[] {
    return this.takeReady();
  }

  /** Returns the server's lines that follow a line from the client. */
  receive(line: Buffer): readonly Buffer[] {
    const message = jsonObject(this.redact(line).toString('utf8'));
    if (message === undefined) return [];
    const same = this.clients.filter((entry) => isSame(entry.message, message));
    const entry = same.find(({ ids }) => ids === undefined) ?? same.at(-1);
    const ids = { id: valueIn(line, IDS), token: valueIn(line, TOKENS) };
    if (entry === undefined)
      return message['id'] === undefined || !('method' in message) ? [] : [noAnswerLine(message, ids)];
    const isRepeated = entry.ids !== undefined;
    entry.ids = ids;
    if (!isRepeated) return this.takeReady();
    return this.servers
      .filter(({ owner, isAnswer }) => isAnswer && owner === entry)
      .map((answer) => withCurrentIds(answer));
  }

  private takeReady(): readonly Buffer[] {
    const lines: Buffer[] = [];
    for (const entry of this.servers) {
      const isKnown = entry.owner === undefined || entry.owner.ids !== undefined;
      if (entry.isSent || !isKnown || entry.after.some(({ ids }) => ids === undefined)) continue;
      entry.isSent = true;
      lines.push(withCurrentIds(entry));
    }
    return lines;
  }
}

function entriesOf(lines: readonly RecordedLine[]) {
  const clients: ClientEntry[] = [];
  const servers: ServerEntry[] = [];
  const questions: OwnedMessage[] = [];
  const answers: OwnedMessage[] = [];
  for (const { from, line } of lines) {
    const message = jsonObject(line.toString('utf8')) ?? {};
    if (from === 'client') {
      const entry = { message };
      clients.push(entry);
      if ('method' in message || !('id' in message)) continue;
      const asked = questions.findLast((question) =>
        isDeepStrictEqual(question.entry.message['id'], message['id']),
      );
      answers.push({ entry, owner: asked?.owner });
    } else if (from === 'server') {
      const lastMessage = clients.at(-1);
      // Lines after an answer belong to the request whose question was answered.
      const lastAnswer = answers.find(({ entry }) => entry === lastMessage);
      const { owner = lastAnswer?.owner ?? lastMessage, isAnswer = false } = ownerOf(message, clients);
      const after = answers.filter((answer) => answer.owner === owner).map(({ entry }) => entry);
      servers.push({ line, owner, isAnswer, after, isSent: false });
      if ('method' in message && 'id' in message) questions.push({ entry: { message }, owner });
    }
  }
  return { clients, servers };
}

/** A question or its answer, and the client message that the question belongs to. */
interface OwnedMessage {
  readonly entry: ClientEntry;
  readonly owner: ClientEntry | undefined;
}

/** Returns the request that a server message refers to, or an empty object if it refers to none. */
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
  const subscription = isObject(meta) ? meta[SUBSCRIPTION] : undefined;
  const owner =
    token === undefined
      ? subscription !== undefined && lastRequest((request) => request['id'] === subscription)
      : lastRequest((request) => tokenOf(request) === token);
  return owner ? { owner } : {};
}

function tokenOf({ params }: JsonObject): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta['progressToken'] : undefined;
}

/** True if two client messages are equal, except for ids and `_meta`. */
function isSame(recorded: JsonObject, message: JsonObject): boolean {
  if (recorded['method'] !== message['method']) return false;
  if (!('method' in message)) return isDeepStrictEqual(recorded['id'], message['id']);
  if ('id' in recorded !== 'id' in message) return false;
  return OPENINGS.has(message['method']) || isDeepStrictEqual(paramsOf(recorded), paramsOf(message));
}

function paramsOf({ params, method }: JsonObject): unknown {
  if (!isObject(params)) return {};
  const { _meta: _, requestId, ...others } = params;
  return method === 'notifications/cancelled' || requestId === undefined ? others : { ...others, requestId };
}

/** Returns a line from the server with the ids of the current client. */
function withCurrentIds({ line, owner, isAnswer }: ServerEntry): Buffer {
  const { ids, message } = owner ?? {};
  if (ids === undefined || message === undefined) return line;
  const edits: Edit[] = [];
  const replace = (paths: ReturnType<typeof valuePaths>, bytes: Buffer): void => {
    for (const { span } of valueSpans(line, { start: 0, end: line.length }, paths))
      edits.push({ span, bytes });
  };
  if (isAnswer) replace(IDS, ids.id);
  else if (jsonObject(line.toString('utf8')) !== undefined) {
    if (tokenOf(message) !== undefined) replace(OWN_TOKENS, ids.token);
    if ('id' in message) replace(SUBSCRIPTIONS, ids.id);
  }
  return edits.length === 0 ? line : splice(line, edits).subarray(0, -1);
}

function valueIn(line: Buffer, paths: ReturnType<typeof valuePaths>): Buffer {
  const [found] = valueSpans(line, { start: line.indexOf('{'), end: line.length }, paths);
  return found === undefined ? NULL : Buffer.from(line.subarray(found.span.start, found.span.end));
}

function noAnswerLine({ method }: JsonObject, { id }: { readonly id: Buffer }): Buffer {
  const message = `The recording has no answer to this ${String(method)}: it was recorded with other params, or not at all.`;
  const error = JSON.stringify({ code: ErrorCode.InternalError, message });
  return Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":'), id, Buffer.from(`,"error":${error}}`)]);
}
