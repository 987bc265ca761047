import { isDeepStrictEqual } from 'node:util';

import { isObject, type JsonObject } from '@mcpmux/clients';
import { type Edit, ErrorCode, splice, valuePaths, valueSpans } from '@mcpmux/wire';

import { jsonObject } from '../base/json-object.js';
import type { RecordedLine } from './recorded-line.js';

/** A recorded line of a client, and the ids with which the present client sent the same message. */
interface ClientEntry {
  readonly message: JsonObject;
  now?: { readonly id: Buffer; readonly token: Buffer };
}

/** A recorded line of the server, and the messages of the client after which it is sent. */
interface ServerEntry {
  readonly line: Buffer;
  /** The request that it belongs to, or the last message before it. */
  readonly owner: ClientEntry | undefined;
  /** True for the response to its owner. */
  readonly isAnswer: boolean;
  /** The client's answers to questions of the same owner that the server had before. */
  readonly after: readonly ClientEntry[];
  isSent: boolean;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';
const IDS = valuePaths([['id']]);
const TOKENS = valuePaths([['params', '_meta', 'progressToken']]);
const OWN_TOKENS = valuePaths([['params', 'progressToken']]);
const SUBSCRIPTIONS = valuePaths([['params', '_meta', SUBSCRIPTION]]);
const NONE = Buffer.from('null');
/** Requests in which each client describes itself. */
const OPENINGS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);

/**
 * Plays the server of a recording. A message of the client is found by its method and its params, in any order. The
 * lines of the server are sent again byte for byte, with the ids and the progress tokens of the present client.
 */
export class Replay {
  private readonly clients: readonly ClientEntry[];
  private readonly servers: readonly ServerEntry[];

  /** @param redact replaces secrets, which the recording does not have, in a line of the present client */
  constructor(
    lines: readonly RecordedLine[],
    private readonly redact: (line: Buffer) => Buffer,
  ) {
    const { clients, servers } = entriesOf(lines);
    this.clients = clients;
    this.servers = servers;
  }

  /** Returns the lines that the server sent before the first message of its client. */
  start(): readonly Buffer[] {
    return this.due();
  }

  /** Returns the lines of the server after a line of the client. */
  receive(line: Buffer): readonly Buffer[] {
    const message = jsonObject(this.redact(line).toString('utf8'));
    if (message === undefined) return [];
    const same = this.clients.filter((entry) => isSame(entry.message, message));
    const entry = same.find(({ now }) => now === undefined) ?? same.at(-1);
    const now = { id: valueIn(line, IDS), token: valueIn(line, TOKENS) };
    if (entry === undefined)
      return message['id'] === undefined || !('method' in message) ? [] : [unknown(message, now)];
    const isRepeated = entry.now !== undefined;
    entry.now = now;
    if (!isRepeated) return this.due();
    return this.servers
      .filter(({ owner, isAnswer }) => isAnswer && owner === entry)
      .map((answer) => asNow(answer));
  }

  private due(): readonly Buffer[] {
    const lines: Buffer[] = [];
    for (const entry of this.servers) {
      const isKnown = entry.owner === undefined || entry.owner.now !== undefined;
      if (entry.isSent || !isKnown || entry.after.some(({ now }) => now === undefined)) continue;
      entry.isSent = true;
      lines.push(asNow(entry));
    }
    return lines;
  }
}

function entriesOf(lines: readonly RecordedLine[]) {
  const clients: ClientEntry[] = [];
  const servers: ServerEntry[] = [];
  const questions: Owned[] = [];
  const answers: Owned[] = [];
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
      const last = clients.at(-1);
      // What follows an answer goes on with the request whose question was answered.
      const answered = answers.find(({ entry }) => entry === last);
      const { owner = answered?.owner ?? last, isAnswer = false } = ownerOf(message, clients);
      const after = answers.filter((answer) => answer.owner === owner).map(({ entry }) => entry);
      servers.push({ line, owner, isAnswer, after, isSent: false });
      if ('method' in message && 'id' in message) questions.push({ entry: { message }, owner });
    }
  }
  return { clients, servers };
}

/** A question of the server, or the answer of the client, and the message of the client that the question belongs to. */
interface Owned {
  readonly entry: ClientEntry;
  readonly owner: ClientEntry | undefined;
}

/** Returns the request that a message of the server belongs to, if the message names one. */
function ownerOf(
  message: JsonObject,
  clients: readonly ClientEntry[],
): Partial<Pick<ServerEntry, 'owner' | 'isAnswer'>> {
  const { id, method, params } = message;
  const requests = clients.filter((entry) => 'method' in entry.message);
  const last = (matches: (request: JsonObject) => boolean) =>
    requests.findLast((entry) => matches(entry.message));
  if (method === undefined && id !== undefined)
    return { owner: last((request) => request['id'] === id), isAnswer: true };
  if (!isObject(params)) return {};
  const { progressToken: token, _meta: meta } = params;
  const subscription = isObject(meta) ? meta[SUBSCRIPTION] : undefined;
  const owner =
    token === undefined
      ? subscription !== undefined && last((request) => request['id'] === subscription)
      : last((request) => tokenOf(request) === token);
  return owner ? { owner } : {};
}

function tokenOf({ params }: JsonObject): unknown {
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta['progressToken'] : undefined;
}

/** True if two messages of a client say the same. Ids and `_meta` are ignored. */
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

/** Returns a line of the server with the ids of the present client. */
function asNow({ line, owner, isAnswer }: ServerEntry): Buffer {
  const { now, message } = owner ?? {};
  if (now === undefined || message === undefined) return line;
  const edits: Edit[] = [];
  const replace = (paths: ReturnType<typeof valuePaths>, bytes: Buffer): void => {
    for (const { span } of valueSpans(line, { start: 0, end: line.length }, paths))
      edits.push({ span, bytes });
  };
  if (isAnswer) replace(IDS, now.id);
  else if (jsonObject(line.toString('utf8')) !== undefined) {
    if (tokenOf(message) !== undefined) replace(OWN_TOKENS, now.token);
    if ('id' in message) replace(SUBSCRIPTIONS, now.id);
  }
  return edits.length === 0 ? line : splice(line, edits).subarray(0, -1);
}

function valueIn(line: Buffer, paths: ReturnType<typeof valuePaths>): Buffer {
  const [found] = valueSpans(line, { start: line.indexOf('{'), end: line.length }, paths);
  return found === undefined ? NONE : Buffer.from(line.subarray(found.span.start, found.span.end));
}

function unknown({ method }: JsonObject, { id }: { readonly id: Buffer }): Buffer {
  const message = `The recording has no answer to this ${String(method)}: it was recorded with other params, or not at all.`;
  const error = JSON.stringify({ code: ErrorCode.InternalError, message });
  return Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":'), id, Buffer.from(`,"error":${error}}`)]);
}
