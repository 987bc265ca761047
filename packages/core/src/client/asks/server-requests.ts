import {
  type Edit,
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
import { ForwardedServerRequest, type AskedClient, type AskedInit } from './forwarded-server-request.js';
import type { Caller, ClientQuestions, QuestionAnswer, ResultQuestion } from '../caller/caller.js';
import { MuxRequest, type OwnAnswer } from '../caller/mux-request.js';

/** A server's request for a client, the edits in its line, and the reader of the result. */
export interface Question extends Pick<AskedInit, 'serverId' | 'readResult'> {
  readonly line: Buffer;
  readonly request: ServerRequest;
  readonly edits: readonly Edit[];
}

const WITHDRAWN: OwnAnswer & { readonly problem: string } = { problem: 'the call was cancelled' };

/**
 * The requests that servers, and mcpmux itself, send to one client. Ids and progress tokens are `"mux-1"`, `"mux-2"`,
 * …, so no id is ever reused.
 */
export class ServerRequests implements AskedClient, ClientQuestions {
  private readonly open = new PendingTable<string, ForwardedServerRequest | MuxRequest | PutQuestion>();
  private issued = 0;
  private isGone = false;

  /** @param prefix begins each id. A client that knows ids of an earlier mux needs a different prefix. */
  constructor(
    private readonly client: Pick<Caller, 'send'>,
    private readonly prefix = 'mux',
  ) {}

  get size(): number {
    return this.open.size;
  }

  /** Sends a server's request to the client. */
  ask(connection: Connection, { line, request, serverId, edits, readResult }: Question): void {
    const clientId = this.issueId();
    const token = request.params.get('_meta.progressToken');
    const asked = new ForwardedServerRequest(this, connection, {
      serverId,
      clientId,
      method: request.method,
      progressToken: token && Buffer.from(line.subarray(token.start, token.end)),
      readResult,
    });
    connection.requests.expectAnswer(serverId, asked);
    // Calls in flight may outlive the client's side of the pipe. The requests that their servers send then must not
    // hang.
    if (this.isGone) return asked.clientGone();
    this.open.add(clientId, asked);
    const own: Edit[] = [{ span: request.id, bytes: clientId }];
    if (token !== undefined) own.push({ span: token, bytes: clientId });
    this.client.send(splice(line, [...own, ...edits]), connection);
  }

  /** Sends a question from mcpmux itself to the client. Withdraws the question when `signal` is aborted. */
  async askOwn(method: string, params: unknown, signal: AbortSignal): Promise<OwnAnswer> {
    if (this.isGone) return { problem: 'the client has gone' };
    if (signal.aborted) return WITHDRAWN;
    const id = this.issueId();
    const question = new MuxRequest();
    this.open.add(id, question);
    const requestId: unknown = JSON.parse(id);
    const withdraw = (): void => {
      if (this.open.take(id) === undefined) return;
      this.client.send(notificationLine('notifications/cancelled', { requestId, reason: WITHDRAWN.problem }));
      question.fail(WITHDRAWN.problem);
    };
    signal.addEventListener('abort', withdraw, { once: true });
    this.client.send(Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params })}\n`));
    const answer = await question.answer;
    signal.removeEventListener('abort', withdraw);
    return answer;
  }

  put({ line, id: idSpan, edits }: ResultQuestion, answered: (answer: QuestionAnswer) => void): () => void {
    const id = this.issueId();
    const question = new PutQuestion(answered);
    if (this.isGone) queueMicrotask(() => question.clientGone());
    else {
      this.open.add(id, question);
      this.client.send(splice(line, [{ span: idSpan, bytes: id }, ...edits]));
    }
    return () => {
      if (this.open.take(id) === undefined) return;
      const requestId: unknown = JSON.parse(id);
      this.client.send(notificationLine('notifications/cancelled', { requestId, reason: WITHDRAWN.problem }));
    };
  }

  /** Takes a response from the client. A response to an unknown request is dropped, as the specification requires. */
  respond(line: Buffer, response: ServerResponse): void {
    const read = readId(line, response.id);
    if ('id' in read) this.open.take(idKey(read.id))?.respond(line, response);
  }

  progress(line: Buffer, token: Span | undefined): void {
    const read = token && readId(line, token);
    if (token && read && 'id' in read) this.open.peek(idKey(read.id))?.progress(line, token);
  }

  /** The client's response cannot be read. Returns false if no request has that id. */
  fail(id: RawId, problem: string): boolean {
    const asked = this.open.take(idKey(id));
    asked?.fail(problem);
    return asked !== undefined;
  }

  /** The client answers no request from now on, neither an open request nor a later one. */
  clientGone(): void {
    this.isGone = true;
    for (const asked of this.open.takeAll()) asked.clientGone();
  }

  withdraw(id: RawId, line: Buffer, from: Connection): void {
    this.open.take(id);
    this.client.send(line, from);
  }

  private issueId(): RawId {
    this.issued += 1;
    return stringId(`${this.prefix}-${this.issued}`);
  }
}

/** A question that was sent to a client, and whose answer a call waits for. */
export class PutQuestion {
  constructor(private readonly answered: (answer: QuestionAnswer) => void) {}

  respond(line: Buffer, { result, error }: ServerResponse): void {
    const span = result ?? error;
    if (span === undefined) return this.fail('its answer has neither a result nor an error');
    const json = line.toString('utf8', span.start, span.end);
    if (result !== undefined) return this.answered({ json });
    const { message }: { message?: unknown } = Object(JSON.parse(json));
    this.fail(`it answered with an error (${typeof message === 'string' ? message : 'no reason'})`);
  }

  progress(): void {
    // The server that waits for the answer has no token for its progress.
  }

  fail(problem: string): void {
    this.answered({ problem });
  }

  clientGone(): void {
    this.fail('the client has gone');
  }
}
