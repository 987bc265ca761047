import type { ServerResponse } from 'node:http';

import { ErrorCode, readMessage, valuePaths, valueSpans } from '@mcpmux/wire';
import { hasResult } from '../metrics/front-metrics.js';
import { EventStream, type EventStreamLimits } from '../session/event-stream.js';
import { EVENT_HEADERS } from '../session/event-headers.js';

/** Maximum size of a body that is sent in one piece with the head of its response. */
const ONE_PIECE_BYTES = 16 * 1024;

/** The parameters of a {@link ModernReply}. */
export interface ModernReplyInit {
  readonly limits: EventStreamLimits;
  readonly method: string;
  /** False if the client reads only JSON. It then receives only the response. */
  readonly takesEvents: boolean;
}

/**
 * The response to one POST in a revision without sessions. It is JSON if the mux sends only the response, otherwise an
 * event stream. Only a JSON response can have an error status, so the stream begins as late as possible.
 */
export class ModernReply {
  /** True after the response has been sent. No later line belongs to the request. */
  isAnswered = false;
  private stream: EventStream | undefined;
  private readonly late: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly init: ModernReplyInit,
  ) {
    // The response then becomes a stream, whose keepalive comments prevent proxies from dropping it.
    this.late = setTimeout(beginStream, init.limits.keepAliveMs, this).unref();
    response.once('close', () => clearTimeout(this.late));
  }

  /** Sends a line of the mux, without a newline. */
  send(line: Buffer, isAnswer: boolean): void {
    if (this.isAnswered) return;
    if (isAnswer) this.answer(line);
    else this.begin()?.message(line);
  }

  /** Returns the stream of the response, and begins it if necessary. Returns undefined if no stream is possible. */
  begin(): EventStream | undefined {
    clearTimeout(this.late);
    const { response, init } = this;
    if (this.stream === undefined && init.takesEvents && !response.destroyed)
      this.stream = new EventStream(response, [...EVENT_HEADERS], init.limits, () => undefined);
    return this.stream;
  }

  private answer(line: Buffer): void {
    this.isAnswered = true;
    clearTimeout(this.late);
    const { stream, response, init } = this;
    if (stream !== undefined) {
      stream.message(line);
      stream.end();
    } else if (!response.destroyed) {
      sendJson(response, answerStatus(init.method, line), line);
      if (response.writableLength > 0) response.setTimeout(init.limits.stallMs, () => response.destroy());
    }
  }
}

/** Sends a message as a complete response. */
export function sendJson(response: ServerResponse, status: number, message: Buffer): void {
  const { length } = message;
  response.writeHead(status, ['content-type', 'application/json', 'content-length', String(length)]);
  if (length > ONE_PIECE_BYTES) response.end(message);
  // Sent as a latin1 string, because Node.js joins only strings to the head.
  else response.end(message.toString('latin1'), 'latin1');
}

function beginStream(reply: ModernReply): void {
  reply.begin();
}

/** Methods that a server of these revisions may have. For these methods, -32601 is a normal response of a server. */
const METHODS: ReadonlySet<string> = new Set([
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

const OK = 200;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;

/** The error codes for invalid HTTP requests. */
const BAD: ReadonlySet<number | undefined> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingCapability,
  ErrorCode.UnsupportedVersion,
]);

const CODE = 'code';
const ENVELOPE = 'data.envelope';
const WANTED = valuePaths([['code'], ['data', 'envelope']]);

/** Returns the HTTP status of a response that consists of this line alone. */
function answerStatus(method: string, line: Buffer): number {
  if (hasResult(line) || !line.includes('"error"')) return OK;
  const message = readMessage(line, []);
  if (message.kind !== 'response' || message.error === undefined) return OK;
  const found = new Map(valueSpans(line, message.error, WANTED).map(({ path, span }) => [path, span]));
  const at = found.get(CODE);
  const code = at && Number(line.toString('latin1', at.start, at.end));
  if (code === ErrorCode.MethodNotFound) return METHODS.has(method) ? OK : NOT_FOUND;
  const isBad = code === ErrorCode.InvalidParams ? found.has(ENVELOPE) : BAD.has(code);
  return isBad ? BAD_REQUEST : OK;
}
