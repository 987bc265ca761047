import type { ServerResponse } from 'node:http';

import { ErrorCode, readMessage, valuePaths, valueSpans } from '@mcpmux/wire';
import { hasResult } from '../metrics/front-metrics.js';
import { EventStream, type EventStreamLimits } from '../session/event-stream.js';
import { EVENT_HEADERS } from '../session/event-headers.js';

/** The maximum size, in bytes, of a body that is sent together with the head of its response. */
const MAX_ONE_PIECE_BYTES = 16 * 1024;

/** The parameters of a {@link ModernReply}. */
export interface ModernReplyInit {
  readonly limits: EventStreamLimits;
  readonly method: string;
  /** False if the client reads only JSON. In that case, it receives the response but no notifications. */
  readonly acceptsEvents: boolean;
}

/**
 * The HTTP response to one POST in a revision without sessions: JSON if the mux sends only a single response, otherwise
 * an event stream. Only a JSON response can have an error status, so the stream begins as late as possible.
 */
export class ModernReply {
  /** True after the response has been sent. Later lines are dropped. */
  isAnswered = false;
  private stream: EventStream | undefined;
  private readonly streamTimer: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly init: ModernReplyInit,
  ) {
    // After this delay, the response becomes a stream, whose keepalive comments stop proxies from closing it.
    this.streamTimer = setTimeout(beginStream, init.limits.keepAliveMs, this).unref();
    response.once('close', () => clearTimeout(this.streamTimer));
  }

  /** Sends a line from the mux, without a newline. */
  send(line: Buffer, isAnswer: boolean): void {
    if (this.isAnswered) return;
    if (isAnswer) this.sendAnswer(line);
    else this.ensureStream()?.sendMessage(line);
  }

  /** Returns the stream of this response, beginning it if necessary, or undefined if a stream is not possible. */
  ensureStream(): EventStream | undefined {
    clearTimeout(this.streamTimer);
    const { response, init } = this;
    if (this.stream === undefined && init.acceptsEvents && !response.destroyed)
      this.stream = new EventStream(response, [...EVENT_HEADERS], init.limits, () => undefined);
    return this.stream;
  }

  private sendAnswer(line: Buffer): void {
    this.isAnswered = true;
    clearTimeout(this.streamTimer);
    const { stream, response, init } = this;
    if (stream !== undefined) {
      stream.sendMessage(line);
      stream.end();
    } else if (!response.destroyed) {
      sendJson(response, answerStatus(init.method, line), line);
      if (response.writableLength > 0) response.setTimeout(init.limits.stallMs, () => response.destroy());
    }
  }
}

/** Sends one message as the complete response. */
export function sendJson(response: ServerResponse, status: number, message: Buffer): void {
  const { length } = message;
  response.writeHead(status, ['content-type', 'application/json', 'content-length', String(length)]);
  if (length > MAX_ONE_PIECE_BYTES) response.end(message);
  // Sent as a latin1 string, because Node.js appends only strings to the head.
  else response.end(message.toString('latin1'), 'latin1');
}

function beginStream(reply: ModernReply): void {
  reply.ensureStream();
}

/** Methods that a server of these revisions need not support. For these, the error -32601 is a normal response. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
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
const BAD_REQUEST_CODES: ReadonlySet<number | undefined> = new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingCapability,
  ErrorCode.UnsupportedVersion,
]);

const CODE_PATH = 'code';
const ENVELOPE_PATH = 'data.envelope';
const ERROR_PATHS = valuePaths([['code'], ['data', 'envelope']]);

/** Returns the HTTP status for a response that consists only of this line. */
function answerStatus(method: string, line: Buffer): number {
  if (hasResult(line) || !line.includes('"error"')) return OK;
  const message = readMessage(line, []);
  if (message.kind !== 'response' || message.error === undefined) return OK;
  const fields = new Map(valueSpans(line, message.error, ERROR_PATHS).map(({ path, span }) => [path, span]));
  const codeSpan = fields.get(CODE_PATH);
  const code = codeSpan && Number(line.toString('latin1', codeSpan.start, codeSpan.end));
  if (code === ErrorCode.MethodNotFound) return KNOWN_METHODS.has(method) ? OK : NOT_FOUND;
  const isBadRequest =
    code === ErrorCode.InvalidParams ? fields.has(ENVELOPE_PATH) : BAD_REQUEST_CODES.has(code);
  return isBadRequest ? BAD_REQUEST : OK;
}
