import type { IncomingMessage } from 'node:http';

import { AnswerStreams, isEventStream } from './answer-streams.js';
import { contentTypeError } from './describe-problem.js';
import { errorAnswer, type ErrorAnswer } from './error-answer.js';
import type { LineParts } from './line-parts.js';
import { messageLine } from './message-line.js';
import type { RemoteMessage } from './remote-transport.js';
import { isRepeatable } from './repeatable.js';
import { bodyParts } from './response-body.js';
import type { Sending } from './sending.js';
import { POST_HEADERS, type RemoteTransportInit } from './streamable-http.js';

const JSON_CONTENT_TYPE = /^application\/json\b/i;

/** Resolves to the rejected request with updated headers, or to undefined if its headers do not change. */
export type RenewHeaders = (message: RemoteMessage) => Promise<RemoteMessage | undefined>;

/** The error code for rejected headers. */
const HEADER_MISMATCH = -32_020;

/**
 * Streamable HTTP without sessions (2026-07-28). Each request is a POST whose headers describe the request. The
 * response is the result, or a stream that ends with the result. A broken stream cannot be resumed. Closing the
 * response cancels the request.
 */
export class StatelessHttp {
  private readonly answerStreams: AnswerStreams;
  private readonly baseHeaders: Readonly<Record<string, string>>;

  constructor(
    private readonly init: Omit<RemoteTransportInit, 'opening'>,
    private readonly renewHeaders: RenewHeaders,
  ) {
    this.answerStreams = new AnswerStreams(init);
    this.baseHeaders = { ...init.endpoint.headers, ...POST_HEADERS };
  }

  /** Resolves when the response has arrived or has begun to arrive. Rejects if no response arrives. */
  async send(message: RemoteMessage, sending: Sending, isAgain = false): Promise<void> {
    const { http, endpoint, events } = this.init;
    const { line, id, headers } = message;
    const request = {
      method: 'POST',
      headers: { ...this.baseHeaders, ...headers },
      body: line,
      isRepeatable: isRepeatable(message),
    };
    const response = await http.send(endpoint.url, request, sending, mayContainRpcError);
    if (id === undefined) response.resume();
    else if (isRefusal(response)) {
      const { line: answer, code } = await this.readRefusal(id, response);
      const updatedMessage =
        code === HEADER_MISMATCH && !isAgain ? await this.renewHeaders(message) : undefined;
      if (updatedMessage !== undefined && !sending.isAborted) return this.send(updatedMessage, sending, true);
      events.line([answer]);
      events.onEnded(id);
    } else if (isEventStream(response)) void this.answerStreams.deliverEvents({ id, sending }, response);
    else await this.deliverAnswer(id, response);
  }

  close(): void {
    this.answerStreams.close();
  }

  private async deliverAnswer(id: number, response: IncomingMessage): Promise<void> {
    const { redactedUrl, events } = this.init;
    const { statusCode = 0, headers } = response;
    if (!hasJsonBody(response)) {
      response.destroy();
      throw contentTypeError(redactedUrl, statusCode, headers['content-type'] ?? null);
    }
    const line = messageLine(await this.readParts(response));
    if (line !== undefined) events.line(line);
    events.onEnded(id);
  }

  /** Returns the JSON-RPC error from a rejection's body, because the error is more specific than the status. */
  private async readRefusal(id: number, response: IncomingMessage): Promise<ErrorAnswer> {
    const line = messageLine(await this.readParts(response));
    const body = line && Buffer.concat(line);
    const answer = body && errorAnswer(body, id);
    if (answer === undefined) throw this.init.http.refusalError(response, body?.toString() ?? '');
    return answer;
  }

  private readParts(response: IncomingMessage): Promise<LineParts> {
    const { flow, maxMessageBytes } = this.init;
    return bodyParts(response, flow, maxMessageBytes);
  }
}

/** True if a rejection's body may be a JSON-RPC error. `ServerHttp` handles rejected tokens. */
function mayContainRpcError(response: IncomingMessage): boolean {
  const { statusCode = 0 } = response;
  return isRefusal(response) && hasJsonBody(response) && statusCode !== 401 && statusCode !== 403;
}

function isRefusal({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 400;
}

function hasJsonBody({ headers }: IncomingMessage): boolean {
  return JSON_CONTENT_TYPE.test(headers['content-type'] ?? '');
}
