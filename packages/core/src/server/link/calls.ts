import { BoundedMap, type TextMask, type Kit } from '@mcpmux/kit';
import {
  type Channel,
  type Edit,
  PendingTable,
  readIssuedId,
  requestLine,
  type Span,
  splice,
  splicedLine,
  type BorrowedLine,
  type OwnedLine,
} from '@mcpmux/wire';
import type { OwnResult, ServerDialect, LongRequestEndHandler } from '../dialect/server-dialect.js';
import { FlowGate, NO_CALLER } from './flow-gate.js';
import { OwnRequest, OwnRequestError } from './own-request.js';
import type { CallOrigin, PendingCall, ServerResponse } from './pending-call.js';
import type { CallFailure } from './run-failure.js';
import { responseProblem } from './sound-response.js';
import { LongRequest } from './long-request.js';

/** The dependencies of a connection. */
export interface ConnectionComponents extends Kit {
  /** The run's initial dialect. */
  readonly dialect: ServerDialect;
  /** The name of the server, for the log. */
  readonly server: string;
  /** Removes the server's secrets from text. */
  readonly mask: TextMask;
  /** The key of the client sandbox that confines the server's process; undefined if none does. */
  readonly within?: string | undefined;
}

/** A client's request to the server: the original line and the edits to it. */
export interface OutgoingCall {
  readonly line: Buffer;
  readonly id: Span;
  /** The span of the client's progress token, if the client sent one. */
  readonly progressToken: Span | undefined;
  /** Other edits to the line, such as the replacement of the tool's name. */
  readonly edits: readonly Edit[];
}

/** The maximum number of tasks per run whose progress mcpmux forwards. */
const MAX_FOLLOWED_TASKS = 1000;

/**
 * Tracks the requests in flight to one run. Assigns their ids, and passes each response and progress notification to
 * its caller.
 *
 * Each call's id is an integer, unique within this run, and is also its progress token.
 */
export class Calls {
  dialect: ServerDialect;
  /** True once mcpmux has sent a client's request to this run. */
  hasSentCalls = false;
  private lastId = 0;
  /** The reason why the run has ended; undefined until it ends. */
  private endFailure: CallFailure | undefined;
  private readonly pendingRequests = new PendingTable<number, PendingCall>();
  /** Calls answered with a task, whose progress mcpmux still forwards. At the limit, the oldest is evicted. */
  private readonly followedTasks = new BoundedMap<number, Pick<PendingCall, 'onProgress'>>(
    MAX_FOLLOWED_TASKS,
  );
  /** Requests that stay open. They do not count as in flight. */
  private readonly longRequests = new Map<number, LongRequest>();
  /**
   * Calls without a request in flight: mcpmux is waiting for their clients' answers or for the next poll of their
   * tasks.
   */
  readonly suspendedCalls = new Set<{ readonly exchange: { readonly isOpen: boolean } }>();
  private readonly flowGate: FlowGate;

  constructor(
    private readonly channel: Channel,
    private readonly components: ConnectionComponents,
  ) {
    this.dialect = components.dialect;
    this.flowGate = new FlowGate(channel);
  }

  /** Sends a client's request. Returns its id for {@link cancel}, or the reason why it was not sent. */
  sendCall(
    { line, id: idSpan, progressToken, edits }: OutgoingCall,
    pendingCall: PendingCall,
  ): number | CallFailure {
    // When a call is sent again, the run may have ended since the first time.
    if (this.endFailure !== undefined) return this.endFailure;
    const { maxPendingPerServer, maxServerQueueBytes } = this.components.limits;
    const { queuedBytes } = this.channel;
    if (this.pendingRequests.size >= maxPendingPerServer)
      return { kind: 'busy', problem: `${this.pendingRequests.size} calls are in flight` };
    if (queuedBytes > maxServerQueueBytes)
      return { kind: 'busy', problem: `it has not read ${queuedBytes} bytes sent to it` };
    const id = (this.lastId += 1);
    this.hasSentCalls = true;
    this.pendingRequests.add(id, pendingCall);
    if (this.flowGate.isClosed) this.flowGate.recordCall(pendingCall.exchange.client);
    const allEdits: Edit[] = [{ span: idSpan, bytes: id }, ...edits];
    if (progressToken !== undefined) allEdits.push({ span: progressToken, bytes: id });
    this.channel.send(splicedLine(line, allEdits));
    return id;
  }

  /** Sends one of mcpmux's own requests. Rejects with OwnRequestError if the request fails. */
  request(method: string, params: unknown, timeoutMs: number, caller: object = {}): Promise<OwnResult> {
    if (this.endFailure !== undefined)
      return Promise.reject(new OwnRequestError(`${method}: the run has ended`, false, this.endFailure));
    const id = (this.lastId += 1);
    const onTimeout = (): void => void this.pendingRequests.take(id);
    const { clock, mask } = this.components;
    const request = new OwnRequest({ method, timeoutMs, caller, mask }, clock, onTimeout);
    this.pendingRequests.add(id, request);
    if (caller !== NO_CALLER) this.flowGate.recordCall(caller);
    this.channel.send(requestLine(id, method, this.dialect.ownParams(params)));
    return request.result;
  }

  /** Sends one of mcpmux's own requests that stays open. Returns its id. */
  openLongRequest(method: string, params: unknown, ended: LongRequestEndHandler): number {
    const id = (this.lastId += 1);
    this.longRequests.set(id, new LongRequest(ended));
    this.channel.send(requestLine(id, method, this.dialect.ownParams(params)));
    return id;
  }

  /** Forwards progress for a call answered with a task, which keeps the call's progress token (2025-11-25). */
  followTask(id: number, pendingCall: Pick<PendingCall, 'onProgress'>): void {
    this.followedTasks.set(id, pendingCall);
  }

  /** Drops a call and forwards the client's `notifications/cancelled`. A late response will be dropped. */
  cancel(id: number, notification: Buffer, requestId: Span): void {
    if (this.pendingRequests.take(id) === undefined) return;
    this.channel.send(splice(notification, [{ span: requestId, bytes: id }]));
  }

  /** Cancels a request at the server: a call whose client has disconnected, or a request that stays open. */
  abandon(id: number, reason = 'the client has gone'): void {
    if (this.pendingRequests.take(id) === undefined && !this.longRequests.delete(id)) return;
    this.channel.send(this.dialect.cancellationLine(id, reason));
  }

  /** Passes a response to its caller. Returns false if no open request has the id. */
  passResponse(line: BorrowedLine, response: ServerResponse): boolean {
    const id = readIssuedId(line, response.id);
    const pendingCall =
      id === undefined ? undefined : (this.pendingRequests.take(id) ?? this.takeLongRequest(id));
    if (pendingCall === undefined) return false;
    this.finishCall(pendingCall, line, response);
    return true;
  }

  private finishCall(
    pendingCall: Pick<PendingCall, 'onResponse' | 'fail'>,
    line: BorrowedLine,
    response: ServerResponse,
  ): void {
    const isResult = response.result !== undefined && response.error === undefined;
    const problem = isResult ? undefined : responseProblem(line, response, this.components.mask);
    if (problem === undefined) pendingCall.onResponse(line, response);
    else pendingCall.fail({ kind: 'unreadable-response', problem });
  }

  /** Passes a response without an id to the only request in flight. Returns false unless exactly one is in flight. */
  passResponseWithoutId(line: BorrowedLine, response: ServerResponse): boolean {
    const [only, ...others] = this.pendingRequests.keys();
    const pendingCall = only === undefined || others.length > 0 ? undefined : this.pendingRequests.take(only);
    if (pendingCall === undefined) return false;
    this.finishCall(pendingCall, line, response);
    return true;
  }

  /** True if the id at `span` belongs to a request that mcpmux has sent to this run. */
  hasIssued(line: BorrowedLine, span: Span): boolean {
    const id = readIssuedId(line, span);
    return id !== undefined && id > 0 && id <= this.lastId;
  }

  /** Passes progress to its caller. Returns false if no call or task has this token. */
  passProgress(line: OwnedLine, token: Span | undefined): boolean {
    const id = token === undefined ? undefined : readIssuedId(line, token);
    const pendingCall =
      id === undefined ? undefined : (this.pendingRequests.peek(id) ?? this.followedTasks.get(id));
    if (token === undefined || pendingCall === undefined) return false;
    pendingCall.onProgress(line, token);
    return true;
  }

  isPending(id: number): boolean {
    return this.pendingRequests.has(id);
  }

  /** True while the request with this id is pending, including a request that stays open. */
  isOpen(id: number): boolean {
    return this.pendingRequests.has(id) || this.longRequests.has(id);
  }

  /** Fails only the request with this id, because the server will not answer it. */
  failRequest(id: unknown, failure: CallFailure): void {
    if (typeof id === 'number') (this.pendingRequests.take(id) ?? this.takeLongRequest(id))?.fail(failure);
  }

  /** Fails all requests with the reason why the run has ended. */
  failAll(failure: CallFailure): void {
    this.endFailure = failure;
    for (const pendingCall of this.pendingRequests.takeAll()) pendingCall.fail(failure);
    for (const request of this.longRequests.values()) request.fail();
    this.longRequests.clear();
  }

  /** Resolves as soon as no request is in flight. */
  whenIdle(): Promise<void> {
    return this.pendingRequests.whenIdle();
  }

  *callOrigins(): Iterable<CallOrigin> {
    for (const { exchange } of this.pendingRequests.values()) yield exchange;
  }

  /**
   * Pauses the server's output until `caller` reads again, unless other callers are waiting for the server. `isShared`
   * means that other clients receive the output too, even without calls in flight.
   */
  pauseOutput(caller: object, isShared = false): void {
    this.flowGate.closeFor(caller, isShared || this.hasOtherCallers(caller));
  }

  /** Resumes the server's output. Called when `caller` reads again or has disconnected. */
  resumeOutput(caller: object): void {
    this.flowGate.openFor(caller);
  }

  /** True while the server's output is paused because a caller is not reading. */
  get isOutputPaused(): boolean {
    return this.flowGate.isClosed;
  }

  private takeLongRequest(id: number): LongRequest | undefined {
    const request = this.longRequests.get(id);
    this.longRequests.delete(id);
    return request;
  }

  private hasOtherCallers(caller: object): boolean {
    for (const { client: other } of this.callOrigins())
      if (other !== caller && other !== NO_CALLER) return true;
    return false;
  }
}
