import { type RawId, type Span, splice } from '@mcpmux/wire';
import type { CatalogView } from '../../catalog/catalog-view.js';
import type { PendingCall, ServerResponse } from '../../upstream/link/pending-call.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { CallFailure } from '../../upstream/link/run-failure.js';
import type { Upstream } from '../../upstream/upstream.js';
import { isRecord } from '../../base/is-record.js';
import { failureAnswer, unavailable } from './failure-answer.js';
import type { CallOwner } from './forwarded-call.js';
import type { CancelNotification, InFlightRequest } from './in-flight-request.js';
import { resourceReader } from './result-reader.js';

/** By these a server says that it has no such resource: the code of 2025-11-25, and that of later revisions. */
const NOT_FOUND_CODES: ReadonlySet<unknown> = new Set([-32_002, -32_602]);

/** The request to read, and where its id and token stand. */
export interface SearchedRequest {
  readonly id: RawId;
  readonly line: Buffer;
  readonly idSpan: Span;
  readonly progressToken: Span | undefined;
}

/** Reads a resource of which nobody knows whose it is: servers are asked in turn, until one has it. */
export class FallbackRead implements PendingCall, InFlightRequest {
  readonly reader: object;
  private remaining: readonly Upstream[] = [];
  /** What the client is told when nobody has the resource: a server's own words, where there are any. */
  private lastAnswer: Buffer | undefined;
  private current:
    { readonly upstream: Upstream; readonly connection: Connection; callId: number } | undefined;

  constructor(
    private readonly owner: CallOwner,
    private readonly catalog: CatalogView,
    private readonly request: SearchedRequest,
  ) {
    this.reader = owner;
  }

  /** Asks the first server that can be asked. Returns the answer when there is none. */
  start(upstreams: readonly Upstream[]): Buffer | undefined {
    this.remaining = upstreams;
    for (let next = this.shift(); next !== undefined; next = this.shift()) {
      if (this.ask(next)) return undefined;
    }
    return this.lastAnswer ?? failureAnswer(this.request.id, '', { kind: 'removed' });
  }

  respond(line: Buffer, response: ServerResponse): void {
    const { id } = this.request;
    const edits = [{ span: response.id, bytes: id }];
    if (isNotFound(line, response) && this.remaining.length > 0) {
      this.lastAnswer = splice(line, edits);
      return this.askNext();
    }
    const upstream = this.current?.upstream;
    this.owner.answer(id, () => {
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
    if (this.current !== undefined) this.owner.watchFlow(this.current.connection);
  }

  fail(failure: CallFailure): void {
    const { id } = this.request;
    this.lastAnswer ??= failureAnswer(id, this.current?.upstream.name ?? '', failure);
    this.askNext();
  }

  cancel({ line, requestId }: CancelNotification): void {
    this.remaining = [];
    this.current?.connection.calls.cancel(this.current.callId, line, requestId);
  }

  abandon(): void {
    this.remaining = [];
    this.current?.connection.calls.abandon(this.current.callId);
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

  /** Asks one server. Returns false when it cannot be asked. */
  private ask(upstream: Upstream): boolean {
    const { connection } = upstream;
    const { id, line, idSpan, progressToken } = this.request;
    if (connection === undefined) {
      this.lastAnswer ??= unavailable(id, upstream);
      return false;
    }
    const current = { upstream, connection, callId: 0 };
    this.current = current;
    const sent = connection.calls.call({ line, id: idSpan, progressToken, edits: [] }, this);
    if (typeof sent === 'number') current.callId = sent;
    else this.lastAnswer ??= failureAnswer(id, upstream.name, sent);
    return typeof sent === 'number';
  }
}

function isNotFound(line: Buffer, { error }: ServerResponse): boolean {
  if (error === undefined) return false;
  const value: unknown = JSON.parse(line.toString('utf8', error.start, error.end));
  return isRecord(value) && NOT_FOUND_CODES.has(value['code']);
}
