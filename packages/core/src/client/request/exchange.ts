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

/** The reason for ending an exchange before its handler has answered. */
export type AbortReason =
  /** The client's `notifications/cancelled`, and the span of its `requestId`. The client expects no response. */
  | { readonly kind: 'cancelled'; readonly line: Buffer; readonly requestId: Span }
  /** The client has disconnected. */
  | { readonly kind: 'gone' }
  /** The session is ending. The exchange must be answered immediately. */
  | { readonly kind: 'deadline' };

/** The client has disconnected or no longer needs the answer. */
export const GONE: AbortReason = { kind: 'gone' };
/** The session is ending, so the exchange must be answered immediately. */
export const DEADLINE: AbortReason = { kind: 'deadline' };

/** The creator of an exchange, which receives its only answer. */
export interface ExchangeOwner {
  readonly caller: Caller;
  /** Receives the questions that servers ask during the exchange; undefined if they go to the client as requests. */
  readonly asker?: Asker | undefined;
  onAnswer(id: RawId, line: OutgoingLine, from: Connection | undefined): void;
  /** Receives lines that belong to the exchange but do not answer it. When absent, such lines go to the client. */
  sendRelated?(line: OutgoingLine, from: Connection | undefined): void;
}

const NO_LINE = Buffer.alloc(0);
const NO_PARAMS: ParamSpans = new Map();

/** One request of one client, from its arrival to its answer. */
export class Exchange implements RequestLine {
  readonly caller: Caller;
  readonly method: string;
  line: Buffer;
  idSpan: Span;
  params: ParamSpans;
  /** False once the exchange has been answered or its answer is no longer needed. */
  isOpen = true;
  /** True if `call_tool` or a guard replaced the request, so that the client's HTTP headers do not describe it. */
  isReplaced = false;
  /** True for a call that a guard makes while it handles another request. */
  isNested = false;
  /** The client's original line, if a guard has changed the params. */
  originalLine: Buffer | undefined;
  /** The only tool that the call may reach, because only this tool was approved; undefined if any tool is allowed. */
  approvedFor: ToolIdentity | undefined;
  /** True once mcpmux has tried to start the server for this request. It tries only once. */
  hasWokenServer = false;
  private abortHandler: ((why: AbortReason) => void) | undefined;

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

  get asker(): Asker | undefined {
    return this.owner.asker;
  }

  /**
   * Answers the request. Further answers are ignored.
   *
   * @param from the server's connection that received the line; it is paused while the client cannot accept more data
   */
  respond(line: OutgoingLine, from?: Connection): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.abortHandler = undefined;
    this.owner.onAnswer(this.id, line, from);
  }

  /** Answers with the protocol error for invalid params, which the specification requires for unknown names. */
  rejectParams(message: string, data?: unknown): void {
    const error = { code: ErrorCode.InvalidParams, message, ...(data !== undefined && { data }) };
    this.respond(errorLine(this.id, error));
  }

  /** Returns the string at a path in the params, or undefined if the value is missing or not a string. */
  textAt(path: string): TextParam | undefined {
    const span = this.params.get(path);
    const text = span && stringAt(this.line, span);
    return span === undefined || text === undefined ? undefined : { text, span };
  }

  /** Sends progress for the request, unless the request has been answered. */
  sendProgress(line: OutgoingLine, from?: Connection): void {
    if (this.isOpen) this.sendRelated(line, from);
  }

  /** Sends a line that belongs to the request, even after the answer, because the answer may have created a task. */
  sendRelated(line: OutgoingLine, from?: Connection): void {
    const { owner } = this;
    if (owner.sendRelated === undefined) this.caller.send(line, from);
    else owner.sendRelated(line, from);
  }

  /**
   * Sets the function that aborts the work on the request, replacing any earlier function. For a `deadline`, the
   * function may still answer the request.
   */
  onAbort(undo: (why: AbortReason) => void): void {
    this.abortHandler = undo;
  }

  /** Ends the exchange before it is answered. Only its owner may call this. */
  abort(why: AbortReason): void {
    if (!this.isOpen) return;
    this.isOpen = why.kind === 'deadline';
    const { abortHandler } = this;
    this.abortHandler = undefined;
    abortHandler?.(why);
    if (!this.isOpen) return;
    const message = 'mcpmux shut down before it could answer';
    this.respond(errorLine(this.id, { code: ErrorCode.InternalError, message }));
  }

  /** Replaces the request's line and params. The new request must have the same id and method. */
  replaceRequest({ line, idSpan, params }: RequestLine): void {
    this.isReplaced = true;
    this.line = line;
    this.idSpan = idSpan;
    this.params = params;
  }

  /** Releases the request's line once the request has been sent, because only the response is still needed. */
  release(undo = this.abortHandler): void {
    this.abortHandler = undo;
    this.line = NO_LINE;
    this.originalLine = undefined;
    this.params = NO_PARAMS;
  }
}
