import {
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  ErrorCode,
  errorLine,
  kept,
  notificationLine,
  NULL_ID,
  type OutgoingLine,
  type OversizedLine,
  PendingTable,
  type RawId,
  readId,
  readIssuedId,
  requestLine,
  resultLine,
  type Span,
  splice,
} from '@mcpmux/wire';
import { BoundedMap } from '../../base/bounded-map.js';
import type {
  CallOrigin,
  PendingCall,
  OpenRequest,
  ServerNotification,
  ServerRequest,
  ServerResponse,
} from './pending-call.js';
import type { ConnectionComponents, ConnectionEvents } from './connection-events.js';
import { FloodFilter } from './flood-filter.js';
import { FlowGate, NO_CALLER } from './flow-gate.js';
import { issuedLine, type OutgoingCall } from './outgoing-call.js';
import { OwnRequest, OwnRequestError, type OwnResult, healthRequest } from './own-request.js';
import { responseProblem } from './damaged-response.js';
import type { CallFailure } from './run-failure.js';
import { ServerDecoder, type ServerLineHandler, type ServerMessage } from './server-decoder.js';

/** Tasks of one run whose progress is passed on. */
const MAX_FOLLOWED_TASKS = 1000;

/**
 * The client side of one run's pipe: gives out ids, and brings each line of the server to whoever it is for, in the
 * order the lines came.
 *
 * The id of a call doubles as its progress token: both are integers that are unique for this run.
 */
export class Connection implements ChannelHandler, ServerLineHandler {
  /** Lines of the server that were dropped: no message, or for nobody. */
  dropped = 0;
  /** Messages that the server has sent. */
  heard = 0;
  private nextId = 1;
  /** Why the run is over, once it is. */
  private end: CallFailure | undefined;
  private readonly pending = new PendingTable<number, PendingCall>();
  /** Calls that were answered by a task: their progress goes on until the task ends. The oldest give way. */
  private readonly tasks = new BoundedMap<number, Pick<PendingCall, 'progress'>>(MAX_FOLLOWED_TASKS);
  /** What the server has asked and nobody has answered yet, by the server's id. */
  private readonly asked = new PendingTable<RawId, OpenRequest>();
  private readonly lines: ServerDecoder;
  private readonly gate: FlowGate;
  private readonly flood: FloodFilter;

  constructor(
    private readonly channel: Channel,
    private readonly events: ConnectionEvents,
    private readonly components: ConnectionComponents,
  ) {
    this.lines = new ServerDecoder(this, components.limits.maxLineBytes);
    this.gate = new FlowGate(channel);
    this.flood = new FloodFilter(components.limits.maxNotificationsPerSecond, components);
  }

  /** Notifications of the server that were dropped because there were too many. */
  get droppedNotifications(): number {
    return this.flood.dropped;
  }

  open(): void {
    this.channel.open(this);
  }

  /** Resolves as soon as nobody waits for this server. */
  whenIdle(): Promise<void> {
    return this.pending.whenIdle();
  }

  /** Sends a client's request. Returns the id by which it can be cancelled, or why it was not sent. */
  call(call: OutgoingCall, sink: PendingCall): number | CallFailure {
    const busy = this.busyness();
    if (busy !== undefined) return { kind: 'busy', problem: busy };
    const id = this.expect(sink);
    this.gate.use(sink.exchange.caller);
    this.channel.send(issuedLine(call, id));
    return id;
  }

  /** A call was answered by a task, whose progress has the token of the call (2025-11-25, tasks). */
  followTask(id: number, sink: Pick<PendingCall, 'progress'>): void {
    this.tasks.set(id, sink);
  }

  /** Forgets a call and passes the client's `notifications/cancelled` on. A late response is dropped. */
  cancel(id: number, notification: Buffer, requestId: Span): void {
    if (this.pending.take(id) === undefined) return;
    this.channel.send(splice(notification, [{ span: requestId, bytes: id }]));
  }

  /** Forgets a call that nobody waits for any more, and tells the server. */
  abandon(id: number, reason = 'the client has gone'): void {
    if (this.pending.take(id) === undefined) return;
    this.notify('notifications/cancelled', { requestId: id, reason });
  }

  /** Asks whether the server, or a tool of it, works. A client that does not read may hold it up. Rejects with OwnRequestError. */
  ping(timeoutMs: number, tool?: string): Promise<OwnResult> {
    return this.request(...healthRequest(tool), timeoutMs, NO_CALLER);
  }

  /** Sends a request of mcpmux itself. Rejects with OwnRequestError. */
  request(method: string, params: unknown, timeoutMs: number, caller: object = {}): Promise<OwnResult> {
    if (this.end !== undefined)
      return Promise.reject(new OwnRequestError(`${method}: the run is over`, false, this.end));
    let id = 0;
    const onTimeout = (): void => void this.pending.take(id);
    const request = new OwnRequest({ method, timeoutMs, caller }, this.components.clock, onTimeout);
    id = this.expect(request);
    if (caller !== NO_CALLER) this.gate.use(caller);
    this.channel.send(requestLine(id, method, params));
    return request.result;
  }

  notify(method: string, params?: unknown): void {
    this.channel.send(notificationLine(method, params));
  }

  /** `caller` cannot take more for now. `isShared` tells that others listen whether or not they have calls in flight. */
  hold(caller: object, isShared = false): void {
    this.gate.hold(caller, isShared || this.hasOtherCallers(caller));
  }

  /** `caller` can take more again. */
  release(caller: object): void {
    this.gate.release(caller);
  }

  /** Whether mcpmux lets the server wait, because who it works for cannot take more. */
  get isHeld(): boolean {
    return this.gate.isClosed;
  }

  /** The request with this id will not be answered; all else goes on. */
  fail(id: unknown, failure: CallFailure): void {
    if (typeof id === 'number') this.pending.take(id)?.fail(failure);
  }

  /** The run is over: whoever still waits is told why. */
  failAll(failure: CallFailure): void {
    this.end = failure;
    for (const sink of this.pending.takeAll()) sink.fail(failure);
    for (const request of this.asked.takeAll()) request.abandoned();
  }

  /** The request behind each call in flight. */
  *exchanges(): Iterable<CallOrigin> {
    for (const { exchange } of this.pending.values()) yield exchange;
  }

  /** A request of the server is with whoever will answer it. */
  expectAnswer(id: RawId, request: OpenRequest): void {
    this.asked.add(id, request);
  }

  /** Answers a request of the server, unless it was answered or withdrawn. */
  answer(id: RawId, line: () => OutgoingLine): void {
    if (this.asked.take(id) !== undefined) this.channel.send(line());
  }

  /** Sends a line that belongs to a request of the server and does not answer it. */
  tell(id: RawId, line: () => Buffer): void {
    if (this.asked.has(id)) this.channel.send(line());
  }

  /** Sends a line as it is: a client's notification, or a refusal. */
  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  line(line: Buffer, isLast = false): void {
    this.lines.line(line, isLast);
  }

  oversized(line: OversizedLine, isLast = false): void {
    this.lines.oversized(line, isLast);
  }

  ended(end: ChannelEnd): void {
    this.events.ended(end);
  }

  drained(): void {
    // Calls towards a full queue are refused as busy, so nobody waits for this.
  }

  take(line: Buffer, message: ServerMessage): void {
    this.heard += 1;
    switch (message.kind) {
      case 'response':
        return this.settle(line, message);
      case 'notification':
        return this.notified(line, message);
      case 'request':
        return this.requested(kept(line), message);
    }
  }

  isPending(id: number): boolean {
    return this.pending.has(id);
  }

  failCall(id: number, problem: string): void {
    this.pending.take(id)?.fail({ kind: 'unreadable-response', problem });
  }

  refuse(id: RawId | undefined, problem: string): void {
    // Of one that is in flight, this is not the answer.
    const isFree = id !== undefined && !this.asked.has(id);
    const error = { code: ErrorCode.InvalidRequest, message: problem };
    this.channel.send(errorLine(isFree ? id : NULL_ID, error));
  }

  drop(problem: string, text?: string): void {
    this.dropped += 1;
    const { logger, server } = this.components;
    if (!logger.enabled('debug')) return;
    logger.log('debug', 'dropped a line of a server', { server, problem, start: text?.slice(0, 200) });
  }

  private expect(sink: PendingCall): number {
    const id = this.nextId;
    this.nextId += 1;
    this.pending.add(id, sink);
    return id;
  }

  private busyness(): string | undefined {
    const { maxPendingPerServer, maxServerQueueBytes } = this.components.limits;
    if (this.pending.size >= maxPendingPerServer) return `${this.pending.size} calls are in flight`;
    const { queuedBytes } = this.channel;
    return queuedBytes > maxServerQueueBytes ? `it has not read ${queuedBytes} bytes sent to it` : undefined;
  }

  private hasOtherCallers(caller: object): boolean {
    for (const { caller: other } of this.exchanges())
      if (other !== caller && other !== NO_CALLER) return true;
    return false;
  }

  private settle(line: Buffer, response: ServerResponse): void {
    const id = readIssuedId(line, response.id);
    const sink = id === undefined ? undefined : this.pending.take(id);
    if (sink === undefined) return this.drop('a response to no pending request');
    const problem = responseProblem(line, response);
    if (problem === undefined) sink.respond(line, response);
    else sink.fail({ kind: 'unreadable-response', problem });
  }

  private progress(line: Buffer, token: Span | undefined): void {
    const id = token === undefined ? undefined : readIssuedId(line, token);
    const sink = id === undefined ? undefined : (this.pending.peek(id) ?? this.tasks.get(id));
    if (token === undefined || sink === undefined) return this.drop('progress for no pending request');
    sink.progress(line, token);
  }

  private notified(lent: Buffer, message: ServerNotification): void {
    if (!this.flood.admits(message.method)) return;
    const line = kept(lent);
    switch (message.method) {
      case 'notifications/progress':
        return this.progress(line, message.params.get('progressToken'));
      case 'notifications/cancelled':
        return this.withdrawn(line, message.params.get('requestId'));
      default:
        return this.events.notification(line, message);
    }
  }

  private withdrawn(line: Buffer, requestId: Span | undefined): void {
    const read = requestId === undefined ? undefined : readId(line, requestId);
    if (requestId === undefined || read === undefined || 'problem' in read) return;
    this.asked.take(read.id)?.cancelled(line, requestId);
  }

  /** Only `ping` is answered here: all else is for a client. */
  private requested(line: Buffer, message: ServerRequest): void {
    const read = readId(line, message.id);
    if ('problem' in read) return this.refuseId(read.problem);
    if (message.method === 'ping') return this.channel.send(resultLine(read.id, '{}'));
    if (this.asked.has(read.id)) {
      const problem = `a request with id ${read.id} is already in flight`;
      return this.channel.send(errorLine(read.id, { code: ErrorCode.InvalidRequest, message: problem }));
    }
    this.events.request(line, message, read.id);
  }

  /** It waits for an answer, but none can have that id. */
  private refuseId(problem: string): void {
    this.drop(problem);
    this.channel.send(errorLine(NULL_ID, { code: ErrorCode.InvalidRequest, message: problem }));
  }
}
