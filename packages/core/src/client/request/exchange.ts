import {
  ErrorCode,
  errorLine,
  type Message,
  type OutgoingLine,
  type ParamSpans,
  type RawId,
  type Span,
  stringAt,
} from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import type { QuestionSink } from '../asks/question-sink.js';
import type { Caller } from '../caller/caller.js';

/** The line of a request, and where in it the values stand that mcpmux reads. */
export interface RequestLine {
  readonly line: Buffer;
  readonly idSpan: Span;
  readonly params: ParamSpans;
}

/** A text in the params of a request, and where it stands. */
export interface TextParam {
  readonly text: string;
  readonly span: Span;
}

/** Why an exchange ends before its handler has answered. */
export type Abort =
  /** The client's `notifications/cancelled`, and where its `requestId` stands. No answer is expected. */
  | { readonly kind: 'cancelled'; readonly line: Buffer; readonly requestId: Span }
  /** The client has gone. */
  | { readonly kind: 'gone' }
  /** The session ends: the exchange is answered now or not at all. */
  | { readonly kind: 'deadline' };

/** The client has gone, or its exchange is not needed any more. */
export const GONE: Abort = { kind: 'gone' };
/** There is no more time: the exchange is answered now. */
export const DEADLINE: Abort = { kind: 'deadline' };

/** Takes the one answer of an exchange. */
export interface ExchangeOwner {
  readonly caller: Caller;
  /** Takes what servers ask during the exchange. Undefined where the client itself is sent requests. */
  readonly asked?: QuestionSink | undefined;
  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
  /** Takes lines that belong to the exchange and do not answer it; the client takes them when absent. */
  pass?(line: OutgoingLine, from: Connection | undefined): void;
}

const NO_LINE = Buffer.alloc(0);
const NO_PARAMS: ParamSpans = new Map();

/** One request of one client, from the moment it is read until it is answered. */
export class Exchange implements RequestLine {
  readonly caller: Caller;
  readonly method: string;
  line: Buffer;
  idSpan: Span;
  params: ParamSpans;
  /** False once the exchange is answered or nobody waits for its answer. */
  isOpen = true;
  /** The request is read as another one than its client has sent. */
  isReadAnew = false;
  /** A guard makes the call within another request. */
  isNested = false;
  /** The line as its client has sent it, where a guard has changed the params. */
  asSent: Buffer | undefined;
  /** Its server did not run and was started for it: not a second time. */
  hasWoken = false;
  private undo: ((why: Abort) => void) | undefined;

  constructor(
    private readonly owner: ExchangeOwner,
    readonly id: RawId,
    line: Buffer,
    { method, params, id: idSpan }: Pick<Extract<Message, { kind: 'request' }>, 'id' | 'method' | 'params'>,
  ) {
    this.caller = owner.caller;
    this.method = method;
    this.line = line;
    this.idSpan = idSpan;
    this.params = params;
  }

  get client(): object {
    return this.caller.client;
  }

  /** Takes what servers ask during the exchange. Undefined where the client itself is sent requests. */
  get asked(): QuestionSink | undefined {
    return this.owner.asked;
  }

  /**
   * Answers the request. Only the first answer is sent.
   *
   * @param from the run of a server that wrote the line: it waits when the client cannot take more
   */
  respond(line: OutgoingLine, from?: Connection): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.undo = undefined;
    this.owner.answered(this.id, line, from);
  }

  /** Answers that the params are wrong: a protocol error, as the specification has it for unknown names. */
  refuseParams(message: string, data?: unknown): void {
    const error = { code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) };
    this.respond(errorLine(this.id, error));
  }

  /** The text at a path of the params; `undefined` when there is none, or something else. */
  text(path: string): TextParam | undefined {
    const span = this.params.get(path);
    const text = span && stringAt(this.line, span);
    return span === undefined || text === undefined ? undefined : { text, span };
  }

  /** Sends a line that belongs to the request and does not answer it. */
  progress(line: OutgoingLine, from?: Connection): void {
    if (this.isOpen) this.pass(line, from);
  }

  /** The same, also after the answer: that was a task, which goes on. */
  pass(line: OutgoingLine, from?: Connection): void {
    const { owner } = this;
    if (owner.pass === undefined) this.caller.send(line, from);
    else owner.pass(line, from);
  }

  /** Sets what ends the work on the request, in place of what was set before. At `deadline` it may still answer. */
  onAbort(undo: (why: Abort) => void): void {
    this.undo = undo;
  }

  /** Ends the exchange before it is answered. To be called by its owner alone. */
  abort(why: Abort): void {
    if (!this.isOpen) return;
    this.isOpen = why.kind === 'deadline';
    const { undo } = this;
    this.undo = undefined;
    undo?.(why);
    if (!this.isOpen) return;
    const message = 'mcpmux shut down before it could answer';
    this.respond(errorLine(this.id, { code: ErrorCode.InternalError, message }));
  }

  /** The request is read as another one, of the same id and method. */
  readAs({ line, idSpan, params }: RequestLine): void {
    this.isReadAnew = true;
    this.line = line;
    this.idSpan = idSpan;
    this.params = params;
  }

  /** The request is on its way: nobody needs the line any more, so its memory is not held until the answer comes. */
  release(undo = this.undo): void {
    this.undo = undo;
    this.line = NO_LINE;
    this.asSent = undefined;
    this.params = NO_PARAMS;
  }
}
