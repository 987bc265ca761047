import { ErrorCode, errorLine, resultLine } from '@mcpmux/wire';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange } from '../request/exchange.js';
import type { ExchangeTable, IncomingRequest } from '../request/incoming-request.js';
import type { Envelope } from './envelope.js';
import { inputRequiredLine, inputResponses } from './input.js';
import { ModernRequest, suspendableRequestOf } from './modern-request.js';
import type { ModernParts } from './modern-parts.js';
import type { ParkedRequest } from './parking-lot.js';

/** Reads the answers from a client. Returns the reason why the request cannot continue, or undefined if it can. */
export type ReadAnswers = (
  answers: ReadonlyMap<string, Buffer>,
) => string | undefined | Promise<string | undefined>;

/** A request that was answered with questions before any server received it. The retry starts from the beginning. */
class PostponedRequest implements ParkedRequest {
  readonly digest: string;
  readonly group: unknown;
  readonly principalId: string;

  constructor(
    request: ModernRequest,
    private readonly parts: ModernParts,
    private readonly answerReader: ReadAnswers,
  ) {
    this.digest = request.digest;
    this.group = request.group;
    this.principalId = request.principalId;
  }

  resume(host: ExchangeTable, incoming: IncomingRequest, envelope: Envelope): void {
    const request = new ModernRequest(host, incoming, envelope, this.parts);
    request.hasAnswers = true;
    const { exchange } = request;
    // The exchange is registered before the answers are read, so that the client can cancel it in the meantime.
    host.resume(incoming.id, exchange);
    void this.readAnswers(incoming).then((problem) => {
      if (!exchange.isOpen) return;
      if (problem === undefined) return host.begin(exchange);
      const { id, method } = exchange;
      const isToolCall = method === 'tools/call';
      exchange.respond(
        isToolCall
          ? resultLine(id, errorResultJson(problem))
          : errorLine(id, { code: ErrorCode.InternalError, message: problem }),
      );
    });
  }

  expire(): void {
    // No server has received the request, so there is nothing to end.
  }

  private async readAnswers({ line, request }: IncomingRequest): Promise<string | undefined> {
    return this.answerReader(inputResponses(line, request.params));
  }
}

/**
 * Answers a request with questions, each as JSON under its key. The answers in the retry are passed to `read`. If it
 * accepts them, the retry is handled like a first request.
 */
export function postpone(
  exchange: Exchange,
  questions: ReadonlyMap<string, string>,
  read: ReadAnswers,
): void {
  const request = suspendableRequestOf(exchange);
  if (request === undefined) return;
  const state = request.parts.lot.park(new PostponedRequest(request, request.parts, read));
  exchange.respond(inputRequiredLine(exchange.id, questions, state));
}
