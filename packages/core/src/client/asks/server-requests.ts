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
  type AskedClient,
  type ForwardedRequestInit,
} from './forwarded-server-request.js';

/** A server's request for a client, the edits in its line, and the reader of the result. */
export interface Question extends Pick<ForwardedRequestInit, 'serverId' | 'readResult'> {
  readonly line: Buffer;
  readonly request: ServerRequest;
  readonly edits: readonly Edit[];
}

/** A question from a call's result, as a request line for the client, and the edits in that line. */
export interface ResultQuestion {
  readonly line: Buffer;
  readonly id: Span;
  readonly edits: readonly Edit[];
}

/** The client's result as JSON text, or the problem that prevented it. */
export type QuestionAnswer = { readonly json: string } | { readonly problem: string };

/** The client's answer to a question from mcpmux itself, or the problem that prevented it. */
export type OwnAnswer = { readonly result: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** The answer to a question whose call was cancelled. */
export const WITHDRAWN = { problem: 'the call was cancelled' };

/**
 * The open requests to one client, from servers and from mcpmux itself. Their ids and progress tokens are `"mux-1"`,
 * `"mux-2"` and so on, so no id is ever reused.
 */
export class ServerRequests implements AskedClient {
  private readonly pending = new PendingTable<string, ForwardedServerRequest | PendingQuestion>();
  private issued = 0;
  private isClosed = false;

  /** @param prefix the start of each id. A client that knows ids of an earlier mux needs a different prefix. */
  constructor(
    private readonly client: { send(line: OutgoingLine, from?: Connection): void },
    private readonly prefix = 'mux',
  ) {}

  get size(): number {
    return this.pending.size;
  }

  /** Sends a server's request to the client. */
  ask(connection: Connection, { line, request, serverId, edits, readResult }: Question): void {
    const clientId = this.issueId();
    const token = request.params.get('_meta.progressToken');
    const forwarded = new ForwardedServerRequest(this, connection, {
      serverId,
      clientId,
      method: request.method,
      progressToken: token && Buffer.from(line.subarray(token.start, token.end)),
      readResult,
    });
    connection.requests.expectAnswer(serverId, forwarded);
    // Calls may still be in flight after the client has closed its side. Requests that their servers then send must not
    // hang.
    if (this.isClosed) return forwarded.clientGone();
    this.pending.add(clientId, forwarded);
    const own: Edit[] = [{ span: request.id, bytes: clientId }];
    if (token !== undefined) own.push({ span: token, bytes: clientId });
    this.client.send(splice(line, [...own, ...edits]), connection);
  }

  /** Sends a question from mcpmux itself to the client. Withdraws the question when `signal` is aborted. */
  askOwn(method: string, params: unknown, signal: AbortSignal): Promise<OwnAnswer> {
    if (signal.aborted) return Promise.resolve(WITHDRAWN);
    const id = this.issueId();
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(id) as unknown, method, params })}\n`;
    return new Promise((resolve) => {
      const abort = (): void => {
        withdraw();
        resolve(WITHDRAWN);
      };
      signal.addEventListener('abort', abort, { once: true });
      const withdraw = this.start(id, Buffer.from(line), (answer) => {
        signal.removeEventListener('abort', abort);
        resolve(ownAnswer(answer));
      });
    });
  }

  /**
   * Sends a question from a call's result. Returns a function that withdraws it.
   *
   * @param onAnswer called once, unless the question is withdrawn first
   */
  put({ line, id: idSpan, edits }: ResultQuestion, onAnswer: (answer: QuestionAnswer) => void): () => void {
    const id = this.issueId();
    return this.start(id, splice(line, [{ span: idSpan, bytes: id }, ...edits]), onAnswer);
  }

  /** Handles a response from the client. A response to an unknown request is dropped, as the specification requires. */
  respond(line: Buffer, response: ServerResponse): void {
    const read = readId(line, response.id);
    if ('id' in read) this.pending.take(idKey(read.id))?.respond(line, response);
  }

  progress(line: Buffer, token: Span | undefined): void {
    const read = token && readId(line, token);
    if (token && read && 'id' in read) this.pending.peek(idKey(read.id))?.progress(line, token);
  }

  /** Handles an unreadable response from the client. Returns false if no request has its id. */
  fail(id: RawId, problem: string): boolean {
    const forwarded = this.pending.take(idKey(id));
    forwarded?.fail(problem);
    return forwarded !== undefined;
  }

  /** Answers all open and later requests in place of a disconnected client. */
  clientGone(): void {
    this.isClosed = true;
    for (const forwarded of this.pending.takeAll()) forwarded.clientGone();
  }

  withdraw(id: RawId, line: Buffer, from: Connection): void {
    this.pending.take(id);
    this.client.send(line, from);
  }

  /** Sends the line of a question. Returns a function that withdraws the question. */
  private start(id: RawId, line: OutgoingLine, onAnswer: (answer: QuestionAnswer) => void): () => void {
    const question = new PendingQuestion(onAnswer);
    if (this.isClosed) queueMicrotask(() => question.clientGone());
    else {
      this.pending.add(id, question);
      this.client.send(line);
    }
    return () => {
      if (this.pending.take(id) === undefined) return;
      const requestId: unknown = JSON.parse(id);
      this.client.send(notificationLine('notifications/cancelled', { requestId, reason: WITHDRAWN.problem }));
    };
  }

  private issueId(): RawId {
    this.issued += 1;
    return stringId(`${this.prefix}-${this.issued}`);
  }
}

/** A question that waits for the client's answer. */
export class PendingQuestion {
  constructor(private readonly onAnswer: (answer: QuestionAnswer) => void) {}

  respond(line: Buffer, { result, error }: ServerResponse): void {
    const span = result ?? error;
    if (span === undefined) return this.fail('its answer has neither a result nor an error');
    const json = line.toString('utf8', span.start, span.end);
    if (result !== undefined) return this.onAnswer({ json });
    const { message }: { message?: unknown } = Object(JSON.parse(json));
    this.fail(`it answered with an error (${typeof message === 'string' ? message : 'no reason'})`);
  }

  progress(): void {
    // A question in a result has no progress token.
  }

  fail(problem: string): void {
    this.onAnswer({ problem });
  }

  clientGone(): void {
    this.fail('the client has gone');
  }
}

/** Returns the answer to a question from mcpmux itself. */
export function ownAnswer(answer: QuestionAnswer): OwnAnswer {
  if ('problem' in answer) return answer;
  const result: unknown = JSON.parse(answer.json);
  return isRecord(result) ? { result } : { problem: 'its result is no object' };
}
