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
import type { ToolIdentity } from '../../server/lists/tool-pins.js';
import type { Connection } from '../../server/link/connection.js';
import type { Asker } from '../asks/asker.js';
import type { Caller } from '../caller/caller.js';

/** The line of a request, and the spans of the values that mcpmux reads. */
export interface RequestLine {
  readonly line: Buffer;
  readonly idSpan: Span;
  readonly params: ParamSpans;
}

/** A string in the params of a request, and its span. */
export interface TextParam {
  readonly text: string;
  readonly span: Span;
}

/** The reason why an exchange ends before its handler has answered. */
export type Abort =
  /** The client's `notifications/cancelled`, and the span of its `requestId`. The client expects no response. */
  | { readonly kind: 'cancelled'; readonly line: Buffer; readonly requestId: Span }
  /** The client has gone. */
  | { readonly kind: 'gone' }
  /** The session ends. The exchange is answered now or never. */
  | { readonly kind: 'deadline' };

/** The client has gone, or its exchange is no longer needed. */
export const GONE: Abort = { kind: 'gone' };
/** No time is left, so the exchange is answered now. */
export const DEADLINE: Abort = { kind: 'deadline' };

/** Takes the only answer to an exchange. */
export interface ExchangeOwner {
  readonly caller: Caller;
  /** Takes the questions that servers ask during the exchange. Undefined if the client itself takes requests. */
  readonly asked?: Asker | undefined;
  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
  /** Takes lines that belong to the exchange but do not answer it. When absent, the client takes them. */
  pass?(line: OutgoingLine, from: Connection | undefined): void;
}

const NO_LINE = Buffer.alloc(0);
const NO_PARAMS: ParamSpans = new Map();

/** One request from one client, from the moment it is read until it is answered. */
export class Exchange implements RequestLine {
  readonly caller: Caller;
  readonly method: string;
  line: Buffer;
  idSpan: Span;
  params: ParamSpans;
  /** False once the exchange is answered, or its answer is no longer needed. */
  isOpen = true;
  /** True if mcpmux handles a changed request in place of the one that the client has sent. */
  isReadAnew = false;
  /** True if a guard makes the call within another request. */
  isNested = false;
  /** The line as the client has sent it, if a guard has changed the params. */
  asSent: Buffer | undefined;
  /** The only tool that may get the call, because a person has approved the call. Undefined if any tool may. */
  approvedFor: ToolIdentity | undefined;
  /** True if the server was started for this request. It is not started a second time. */
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

  /** Takes the questions that servers ask during the exchange. Undefined if the client itself takes requests. */
  get asked(): Asker | undefined {
    return this.owner.asked;
  }

  /**
   * Answers the request. Only the first answer is sent.
   *
   * @param from the connection to the server that wrote the line; it waits when the client cannot take more
   */
  respond(line: OutgoingLine, from?: Connection): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.undo = undefined;
    this.owner.answered(this.id, line, from);
  }

  /** Answers that the params are wrong, with a protocol error, as the specification requires for unknown names. */
  refuseParams(message: string, data?: unknown): void {
    const error = { code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) };
    this.respond(errorLine(this.id, error));
  }

  /** Returns the string at a path of the params, or `undefined` if there is none or the value is not a string. */
  text(path: string): TextParam | undefined {
    const span = this.params.get(path);
    const text = span && stringAt(this.line, span);
    return span === undefined || text === undefined ? undefined : { text, span };
  }

  /** Sends a line that belongs to the request and does not answer it. */
  progress(line: OutgoingLine, from?: Connection): void {
    if (this.isOpen) this.pass(line, from);
  }

  /** Like {@link progress}, but also after the answer, which may be a task that continues. */
  pass(line: OutgoingLine, from?: Connection): void {
    const { owner } = this;
    if (owner.pass === undefined) this.caller.send(line, from);
    else owner.pass(line, from);
  }

  /**
   * Sets the function that ends the work on the request, and replaces the previous one. At `deadline` it may still
   * answer.
   */
  onAbort(undo: (why: Abort) => void): void {
    this.undo = undo;
  }

  /** Ends the exchange before it is answered. Only its owner may call this. */
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

  /** Replaces the request that mcpmux handles with another one that has the same id and method. */
  readAs({ line, idSpan, params }: RequestLine): void {
    this.isReadAnew = true;
    this.line = line;
    this.idSpan = idSpan;
    this.params = params;
  }

  /**
   * Frees the memory of the request's line before the response arrives, because the request has been sent and its line
   * is no longer needed.
   */
  release(undo = this.undo): void {
    this.undo = undo;
    this.line = NO_LINE;
    this.asSent = undefined;
    this.params = NO_PARAMS;
  }
}
