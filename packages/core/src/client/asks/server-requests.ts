import { isRecord } from '@mcpmux/kit';
import {
  type Edit,
  type OutgoingLine,
  idKey,
  notificationLine,
  PendingTable,
  type RawId,
  readId,
  type Span,
  splice,
  stringId,
} from '@mcpmux/wire';

import type { ServerRequest, ServerResponse } from '../../server/link/pending-call.js';
import type { Connection } from '../../server/link/connection.js';
import {
  ForwardedServerRequest,
  type ServerRequestRecipient,
  type ForwardedRequestInit,
} from './forwarded-server-request.js';

/** A server's request to a client, the edits to its line, and the function that reads the client's result. */
export interface Question extends Pick<ForwardedRequestInit, 'serverId' | 'readResult'> {
  readonly line: Buffer;
  readonly request: ServerRequest;
  readonly edits: readonly Edit[];
}

/** A question from a call's result: the request line for the client, and the edits to that line. */
export interface ResultQuestion {
  readonly line: Buffer;
  readonly id: Span;
  readonly edits: readonly Edit[];
}

/** The client's result as JSON text, or the reason why there is none. */
export type QuestionAnswer = { readonly json: string } | { readonly problem: string };

/** The client's result for a question from mcpmux itself, or the reason why there is none. */
export type ElicitAnswer =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly problem: string };

/** The outcome of a question whose call was cancelled before the client answered. */
export const NO_ANSWER = { problem: 'the call was cancelled' };

/**
 * The open requests to one client, from servers and from mcpmux itself. By default, their ids and progress tokens are
 * `"mux-1"`, `"mux-2"` and so on. No id is reused.
 */
export class ServerRequests implements ServerRequestRecipient {
  private readonly pendingRequests = new PendingTable<string, ForwardedServerRequest | PendingQuestion>();
  private issuedIdCount = 0;
  private isClosed = false;

  /** @param prefix the prefix of each id. A client that has received ids from an earlier mux needs a new prefix. */
  constructor(
    private readonly client: { send(line: OutgoingLine, from?: Connection): void },
    private readonly prefix = 'mux',
  ) {}

  get pendingCount(): number {
    return this.pendingRequests.size;
  }

  /** Sends a server's request to the client. */
  ask(connection: Connection, { line, request, serverId, edits, readResult }: Question): void {
    const clientId = this.issueId();
    const token = request.params.get('_meta.progressToken');
    const forwardedRequest = new ForwardedServerRequest(this, connection, {
      serverId,
      clientId,
      method: request.method,
      progressToken: token && Buffer.from(line.subarray(token.start, token.end)),
      readResult,
    });
    connection.requests.expectAnswer(serverId, forwardedRequest);
    // Calls may still be in flight after the client has closed its side. Requests from their servers must not hang.
    if (this.isClosed) return forwardedRequest.handleClientDisconnect();
    this.pendingRequests.add(clientId, forwardedRequest);
    const idEdits: Edit[] = [{ span: request.id, bytes: clientId }];
    if (token !== undefined) idEdits.push({ span: token, bytes: clientId });
    this.client.send(splice(line, [...idEdits, ...edits]), connection);
  }

  /** Sends a question from mcpmux itself to the client. Withdraws the question when `signal` is aborted. */
  askOwn(method: string, params: unknown, signal: AbortSignal): Promise<ElicitAnswer> {
    if (signal.aborted) return Promise.resolve(NO_ANSWER);
    const id = this.issueId();
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(id) as unknown, method, params })}\n`;
    return new Promise((resolve) => {
      const onAbort = (): void => {
        withdraw();
        resolve(NO_ANSWER);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const withdraw = this.sendLine(id, Buffer.from(line), (answer) => {
        signal.removeEventListener('abort', onAbort);
        resolve(parsedAnswer(answer));
      });
    });
  }

  /**
   * Sends a question from a call's result. Returns a function that withdraws it.
   *
   * @param onAnswer called once, unless the question is withdrawn first
   */
  askResultQuestion(
    { line, id: idSpan, edits }: ResultQuestion,
    onAnswer: (answer: QuestionAnswer) => void,
  ): () => void {
    const id = this.issueId();
    return this.sendLine(id, splice(line, [{ span: idSpan, bytes: id }, ...edits]), onAnswer);
  }

  /** Passes a client's response to the request it answers. Drops other responses, as the specification requires. */
  handleResponse(line: Buffer, response: ServerResponse): void {
    const parsedId = readId(line, response.id);
    if ('id' in parsedId) this.pendingRequests.take(idKey(parsedId.id))?.handleResponse(line, response);
  }

  handleProgress(line: Buffer, token: Span | undefined): void {
    const parsedId = token && readId(line, token);
    if (token && parsedId && 'id' in parsedId)
      this.pendingRequests.peek(idKey(parsedId.id))?.handleProgress(line, token);
  }

  /** Fails the open request with this id, because its response is unreadable. Returns false if there is none. */
  fail(id: RawId, problem: string): boolean {
    const forwardedRequest = this.pendingRequests.take(idKey(id));
    forwardedRequest?.fail(problem);
    return forwardedRequest !== undefined;
  }

  /** Answers all open requests, and any later ones, on behalf of a disconnected client. */
  handleClientDisconnect(): void {
    this.isClosed = true;
    for (const forwardedRequest of this.pendingRequests.takeAll()) forwardedRequest.handleClientDisconnect();
  }

  withdraw(id: RawId, line: Buffer, from: Connection): void {
    this.pendingRequests.take(id);
    this.client.send(line, from);
  }

  /** Sends a question's line to the client. Returns a function that withdraws the question. */
  private sendLine(id: RawId, line: OutgoingLine, onAnswer: (answer: QuestionAnswer) => void): () => void {
    const question = new PendingQuestion(onAnswer);
    if (this.isClosed) queueMicrotask(() => question.handleClientDisconnect());
    else {
      this.pendingRequests.add(id, question);
      this.client.send(line);
    }
    return () => {
      if (this.pendingRequests.take(id) === undefined) return;
      const requestId: unknown = JSON.parse(id);
      this.client.send(notificationLine('notifications/cancelled', { requestId, reason: NO_ANSWER.problem }));
    };
  }

  private issueId(): RawId {
    this.issuedIdCount += 1;
    return stringId(`${this.prefix}-${this.issuedIdCount}`);
  }
}

/** A question that waits for the client's answer. */
export class PendingQuestion {
  constructor(private readonly onAnswer: (answer: QuestionAnswer) => void) {}

  handleResponse(line: Buffer, { result, error }: ServerResponse): void {
    const span = result ?? error;
    if (span === undefined) return this.fail('its answer has neither a result nor an error');
    const json = line.toString('utf8', span.start, span.end);
    if (result !== undefined) return this.onAnswer({ json });
    const { message }: { message?: unknown } = Object(JSON.parse(json));
    this.fail(`it answered with an error (${typeof message === 'string' ? message : 'no reason'})`);
  }

  handleProgress(): void {
    // The question has no progress token, so no progress is expected.
  }

  fail(problem: string): void {
    this.onAnswer({ problem });
  }

  handleClientDisconnect(): void {
    this.fail('the client has gone');
  }
}

/** Parses the answer to a question from mcpmux itself. */
export function parsedAnswer(answer: QuestionAnswer): ElicitAnswer {
  if ('problem' in answer) return answer;
  const result: unknown = JSON.parse(answer.json);
  return isRecord(result) ? { result } : { problem: 'its result is no object' };
}
