import { elicitationModes } from '../../server/dialect/client-requests.js';
import { keyPaths, inOnePiece, type OutgoingLine, type RawId, readMessage, splice } from '@mcpmux/wire';
import type { Caller, RequestOrigin } from '../caller/caller.js';
import type { ElicitAnswer } from '../asks/server-requests.js';
import type { ProtocolLogLevel } from '../caller/log-level.js';
import { Exchange, GONE, type ExchangeOwner } from '../request/exchange.js';
import type { ExchangeTable, IncomingRequest } from '../request/incoming-request.js';
import type { Listener } from '../methods/listeners.js';
import { ANYBODY, type Principal } from '../../guards/principal.js';
import type { Connection } from '../../server/link/connection.js';
import type { ClientProfile } from '../../server/dialect/client-profile.js';
import type { Envelope } from './envelope.js';
import { INPUT_METHODS, inputRequiredLine, inputResponses } from './input.js';
import type { ParkedRequest } from './parking-lot.js';
import { RequestCaller, type CallerRequest } from './request-caller.js';
import { requestDigest } from './read-subject.js';
import { RequestQuestions, type QuestionedRequest } from './request-questions.js';
import type { ModernParts } from './modern-parts.js';
import { principalOf } from './sent-principal.js';

const PROGRESS_TOKEN_PATHS = keyPaths(['progressToken']);

/** `parked`: the client was sent questions and has not retried yet. `answer` stores a server's answer meanwhile. */
type Phase =
  | { readonly kind: 'open' }
  | { readonly kind: 'parked'; answer?: { readonly line: Buffer; readonly from: Connection | undefined } }
  | { readonly kind: 'over' };

const OPEN_PHASE: Phase = { kind: 'open' };
const ENDED_PHASE: Phase = { kind: 'over' };

/** One request that describes its client, from its arrival through all retries to its final answer. */
export class ModernRequest implements ExchangeOwner, CallerRequest, QuestionedRequest, ParkedRequest {
  readonly caller: Caller;
  readonly exchange: Exchange;
  private phase: Phase = OPEN_PHASE;
  private id: RawId;
  private questions: RequestQuestions | undefined;
  private readonly sourceLine: Buffer | undefined;
  /** The latest retry's progress token, if it has one. The server still uses the first request's token. */
  private retryToken: Buffer | undefined;

  /** True if this is a retry with the client's answers to earlier questions. */
  hasAnswers = false;

  constructor(
    private host: ExchangeTable,
    { id, line, request }: IncomingRequest,
    public envelope: Envelope,
    readonly parts: ModernParts,
  ) {
    this.id = id;
    this.caller = new RequestCaller(this);
    this.exchange = new Exchange(this, id, line, request);
    // Only retries need the line, and only these methods can be retried.
    this.sourceLine = INPUT_METHODS.has(request.method) ? line : undefined;
  }

  get origin(): RequestOrigin {
    return this.host.caller;
  }

  get profile(): ClientProfile {
    return this.envelope.profile;
  }

  get logLevel(): ProtocolLogLevel | undefined {
    return this.envelope.logLevel;
  }

  get takesUrls(): boolean {
    return elicitationModes(this.profile.capabilities).takesUrls;
  }

  get group(): unknown {
    return groupOf(this.caller);
  }

  /** The client that answers questions. Its principal would not identify it, because several clients may share one. */
  get answeringClient(): object {
    const { isPersistent, client, view } = this.caller;
    return isPersistent && view.server === undefined ? client : this;
  }

  get isWaiting(): boolean {
    return this.phase.kind === 'parked';
  }

  get rootsOwner(): unknown {
    return this.group === ANYBODY.id ? this : this.group;
  }

  get requester(): Principal {
    const { origin, envelope } = this;
    return envelope.principal === undefined ? origin.principal : principalOf(origin, envelope.principal);
  }

  get principalId(): string {
    return this.requester.id;
  }

  get serverConnection(): Connection | undefined {
    return this.questions?.lastConnection;
  }

  get digest(): string {
    return this.sourceLine === undefined ? '' : requestDigest(this.sourceLine, this.origin.view);
  }

  get asker(): RequestQuestions | undefined {
    if (!INPUT_METHODS.has(this.exchange.method)) return undefined;
    this.questions ??= new RequestQuestions(this, this.parts.roots, this.parts.clock);
    return this.questions;
  }

  /** The capabilities that the client would need to receive the questions that were withheld from it. */
  get missingCapabilities(): Readonly<Record<string, unknown>> | undefined {
    return this.questions?.missingCapabilities;
  }

  onAnswer(_: RawId, line: OutgoingLine, from: Connection | undefined): void {
    const { phase } = this;
    if (phase.kind === 'over') return;
    const { guards, completer } = this.parts;
    const isOwnAnswer = from === undefined;
    const isComplete = !isOwnAnswer && !guards.hasHandlers;
    const completeLine = isComplete ? line : completer.complete(line, this.exchange.method, isOwnAnswer);
    // The line is copied, because its buffer may be reused before the client retries.
    if (phase.kind === 'parked') {
      phase.answer = { line: Buffer.from(inOnePiece(completeLine)), from };
      // If the client has another open call to the server, the questions stay open, because they may belong to it.
      if (this.successorQuestions === undefined) this.questions?.end();
      return;
    }
    this.finish(completeLine, from);
    this.questions?.end(this.successorQuestions);
  }

  sendRelated(line: OutgoingLine, from?: Connection, isShared?: boolean): void {
    if (this.phase.kind !== 'open') return;
    const outgoingLine = this.id === this.exchange.id ? line : this.withRetryToken(line);
    if (outgoingLine !== undefined) this.origin.send(outgoingLine, from, isShared);
  }

  get listeners(): readonly Listener[] {
    const { caller: ownCaller, group } = this;
    const openListeners = [...this.parts.listeners.values()];
    // Lists sent over this connection have not reached listeners on other connections.
    return ownCaller.isPersistent
      ? openListeners.filter(({ caller }) => caller.client === ownCaller.client)
      : openListeners.filter(({ caller }) => groupOf(caller) === group);
  }

  elicit(form: unknown, signal: AbortSignal): Promise<ElicitAnswer> {
    const { asker } = this;
    if (asker === undefined)
      return Promise.resolve({ problem: 'the request cannot be answered with questions' });
    return asker.askOwn('elicitation/create', form, signal);
  }

  setPrimary(): void {
    this.parts.primaries.setPrimary(this.origin, this.profile);
  }

  suspend(questions: ReadonlyMap<string, string>): void {
    if (this.phase.kind !== 'open' || !this.exchange.isOpen) return;
    this.phase = { kind: 'parked' };
    this.host.onAnswer(this.id, inputRequiredLine(this.id, questions, this.parts.lot.park(this)), undefined);
  }

  resume(host: ExchangeTable, { id, line, request }: IncomingRequest, envelope: Envelope): void {
    const { phase } = this;
    if (phase.kind !== 'parked') return;
    this.host = host;
    this.id = id;
    this.envelope = envelope;
    const token = request.params.get('_meta.progressToken');
    this.retryToken = token && Buffer.from(line.subarray(token.start, token.end));
    this.phase = OPEN_PHASE;
    if (phase.answer === undefined) host.resume(id, this.exchange);
    this.questions?.answer(inputResponses(line, request.params));
    if (phase.answer === undefined) return;
    this.finish(phase.answer.line, phase.answer.from);
    this.questions?.end(this.successorQuestions);
  }

  expire(): void {
    this.phase = ENDED_PHASE;
    // The questions end first, because a server that waits for their answers may not read the cancellation.
    this.questions?.end();
    this.exchange.abort(GONE);
  }

  /** Ends the questions after the client has cancelled or disconnected. An open exchange still gets its answer. */
  handleCancellation(): void {
    if (!this.exchange.isOpen) this.phase = ENDED_PHASE;
    this.questions?.end();
  }

  /** The questions of another open call by this client to the server. A question does not name its call. */
  private get successorQuestions(): RequestQuestions | undefined {
    for (const origin of this.serverConnection?.calls.callOrigins() ?? []) {
      const candidate = origin instanceof Exchange ? suspendableRequestOf(origin) : undefined;
      if (candidate !== undefined && candidate !== this && candidate.answeringClient === this.answeringClient)
        return candidate.asker;
    }
    return undefined;
  }

  private finish(line: OutgoingLine, from: Connection | undefined): void {
    this.phase = ENDED_PHASE;
    const { host, id } = this;
    host.onAnswer(id, id === this.exchange.id ? line : withId(line, id), from);
  }

  /** Sets the retry's progress token in a progress notification. Returns undefined if the retry has no token. */
  private withRetryToken(line: OutgoingLine): OutgoingLine | undefined {
    const wholeLine = inOnePiece(line);
    const message = readMessage(wholeLine.subarray(0, -1), PROGRESS_TOKEN_PATHS);
    if (message.kind !== 'notification' || message.method !== 'notifications/progress') return line;
    const span = message.params.get('progressToken');
    const { retryToken } = this;
    return span && retryToken && splice(wholeLine.subarray(0, -1), [{ span, bytes: retryToken }]);
  }
}

/** Returns the modern request behind an exchange, or undefined if its method does not allow questions. */
export function suspendableRequestOf(exchange: Exchange): ModernRequest | undefined {
  return INPUT_METHODS.has(exchange.method) ? requestOf(exchange) : undefined;
}

/** Returns the modern request behind an exchange, if any. */
export function requestOf({ caller }: Exchange): ModernRequest | undefined {
  if (!(caller instanceof RequestCaller)) return undefined;
  return caller.request instanceof ModernRequest ? caller.request : undefined;
}

/** Returns the key that groups a caller's requests: its connection or, without a connection, its principal. */
export function groupOf({ isPersistent, client, principal, view }: RequestOrigin): unknown {
  // Sessions limited to one server come from other muxes, which serve many clients. Any of them may send a retry.
  return isPersistent && view.server === undefined ? client : principal.id;
}

function withId(line: OutgoingLine, id: RawId): OutgoingLine {
  const wholeLine = inOnePiece(line).subarray(0, -1);
  const message = readMessage(wholeLine, []);
  return message.kind === 'response' ? splice(wholeLine, [{ span: message.id, bytes: id }]) : line;
}
