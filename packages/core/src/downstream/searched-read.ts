import type { Catalog } from '../catalog/catalog.js';
import type { CallSink, ServerResponse } from '../upstream/call-sink.js';
import type { Connection } from '../upstream/connection.js';
import type { CallFailure } from '../upstream/run-failure.js';
import type { Upstream } from '../upstream/upstream.js';
import { isRecord } from '../wire/is-record.js';
import type { IdText } from '../wire/request-id.js';
import type { Span } from '../wire/span.js';
import { splice } from '../wire/splice.js';
import { failureAnswer } from './failure-answer.js';
import type { CallOwner } from './forwarded-call.js';
import type { CancelNotification, InFlightRequest } from './in-flight-request.js';
import { resourceReader } from './result-reader.js';

/** By these a server says that it has no such resource: the code of 2025-11-25, and that of later revisions. */
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set([-32_002, -32_602]);

/** The request to read, and where its id and token stand. */
export interface SearchedRequest {
  readonly id: IdText;
  readonly line: Buffer;
  readonly idSpan: Span;
  readonly progressToken: Span | undefined;
}

/** Reads a resource of which nobody knows whose it is: servers are asked in turn, until one has it. */
export class SearchedRead implements CallSink, InFlightRequest {
  readonly reader: object;
  private remaining: readonly Upstream[] = [];
  private current:
    { readonly upstream: Upstream; readonly connection: Connection; callId: number } | undefined;

  constructor(
    private readonly owner: CallOwner,
    private readonly catalog: Catalog,
    private readonly request: SearchedRequest,
  ) {
    this.reader = owner;
  }

  /** Asks the first server that can be asked. Returns the answer when there is none. */
  start(upstreams: readonly Upstream[]): Buffer | undefined {
    this.remaining = upstreams;
    let failure: CallFailure = { kind: 'removed' };
    let server = '';
    for (let next = this.shift(); next !== undefined; next = this.shift()) {
      server = next.name;
      const outcome = this.ask(next);
      if (typeof outcome === 'number') return undefined;
      failure = outcome;
    }
    return failureAnswer(this.request.id, server, failure);
  }

  respond(line: Buffer, response: ServerResponse): void {
    if (isNotFound(line, response) && this.remaining.length > 0) return this.askNext();
    const { id } = this.request;
    const upstream = this.current?.upstream;
    this.owner.answer(id, () => {
      const edits = [{ span: response.id, bytes: Buffer.from(id) }];
      const read = upstream && resourceReader(upstream, this.catalog);
      return splice(line, response.result && read ? [...edits, ...read(line, response.result)] : edits);
    });
    if (this.current !== undefined) this.owner.watchFlow(this.current.connection);
  }

  progress(line: Buffer, token: Span): void {
    const { id, progressToken, line: original } = this.request;
    if (progressToken === undefined) return;
    const bytes = original.subarray(progressToken.start, progressToken.end);
    this.owner.notify(id, () => splice(line, [{ span: token, bytes }]));
  }

  fail(failure: CallFailure): void {
    const server = this.current?.upstream.name ?? '';
    if (this.remaining.length > 0) return this.askNext();
    this.owner.answer(this.request.id, () => failureAnswer(this.request.id, server, failure));
  }

  cancel({ line, requestId }: CancelNotification): void {
    this.remaining = [];
    this.current?.connection.cancel(this.current.callId, line, requestId);
  }

  abandon(): void {
    this.remaining = [];
    this.current?.connection.abandon(this.current.callId);
  }

  expire(): Buffer {
    this.abandon();
    return failureAnswer(this.request.id, this.current?.upstream.name ?? '', { kind: 'shut-down' });
  }

  private askNext(): void {
    const answer = this.start(this.remaining);
    if (answer !== undefined) this.owner.answer(this.request.id, () => answer);
  }

  private shift(): Upstream | undefined {
    const [next, ...others] = this.remaining;
    this.remaining = others;
    return next;
  }

  private ask(upstream: Upstream): number | CallFailure {
    const { connection } = upstream;
    if (connection === undefined) return { kind: 'removed' };
    const { line, idSpan, progressToken } = this.request;
    const current = { upstream, connection, callId: 0 };
    this.current = current;
    const sent = connection.call({ line, id: idSpan, progressToken, edits: [] }, this);
    if (typeof sent === 'number') current.callId = sent;
    return sent;
  }
}

function isNotFound(line: Buffer, { error }: ServerResponse): boolean {
  if (error === undefined) return false;
  const value: unknown = JSON.parse(line.toString('utf8', error.start, error.end));
  return isRecord(value) && NOT_FOUND_CODES.has(value['code']);
}
