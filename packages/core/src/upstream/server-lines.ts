import type { LineSink, OversizedLine } from '../wire/line-framer.js';
import { membersOfEnds } from '../wire/members-of-ends.js';
import type { Message } from '../wire/message.js';
import { MessageReader } from '../wire/message-reader.js';
import { onlyOf } from '../wire/own-members.js';
import { recoverIds } from '../wire/recover-id.js';
import type { Span } from '../wire/span.js';
import { answeredId, gluedResponse, mayBeBatch, mayBeResponse } from './damaged-response.js';
import { readServerBatch } from './server-batch.js';
import { SERVER_PATHS } from './server-paths.js';

type Malformed = Extract<Message, { kind: 'malformed' }>;
/** A message as it came from a server. */
export type ServerMessage = Exclude<Message, Malformed>;

/** Whoever the lines of a server are for. */
export interface ServerLineHandler {
  take(line: Buffer, message: ServerMessage): void;
  isPending(id: number): boolean;
  /** The response to this call has come and cannot be read. Returns false when the call does not wait. */
  failCall(id: number, problem: string): boolean;
  /** A line is of no use. */
  drop(problem: string, text?: string): void;
}

/** Makes messages of the lines of one server, and finds out whose response a damaged line was. */
export class ServerLines implements LineSink {
  private readonly messages = new MessageReader(SERVER_PATHS);

  constructor(
    private readonly handler: ServerLineHandler,
    private readonly maxLineBytes: number,
  ) {}

  line(line: Buffer, isLast = false): void {
    const message = this.messages.read(line);
    if (message.kind !== 'malformed') return this.handler.take(line, message);
    // Half an answer of a server that has gone: why it has gone is the better reason, and about to be told.
    if (isLast) return this.handler.drop(message.problem);
    if (!this.readBatch(line, message)) this.malformed(line, message);
  }

  oversized(line: OversizedLine, isLast = false): void {
    const problem = `a line of ${line.length} bytes is above the limit of ${this.maxLineBytes}`;
    if (isLast) return this.handler.drop(problem);
    const text = excerpt(line);
    const { ids, hasMethod } = membersOfEnds(line);
    if (ids.length === 0 && !hasMethod) return this.unreadable(text, problem);
    // It is no garbage, but one message of a size: other ids in it are data, even when nobody waits for its own any more.
    const own = hasMethod ? undefined : onlyOf(ids);
    if (own === undefined || !this.failById(own.part, own.span, problem)) this.handler.drop(problem, text);
  }

  private readBatch(line: Buffer, { isJson, problem }: Malformed): boolean {
    const { handler } = this;
    return readServerBatch(line, isJson, {
      take: (element, message) => {
        if (message.kind === 'malformed') this.malformed(element, message);
        else handler.take(element, message);
      },
      drop: (reason) => handler.drop(reason),
      lost: (rest) => {
        handler.drop(problem);
        this.failCalls(this.pendingIn(rest), problem);
      },
    });
  }

  private malformed(line: Buffer, { id, problem }: Malformed): void {
    const glued = gluedResponse(line);
    if (glued !== undefined) return this.handler.take(glued.line, glued.response);
    if (this.failById(line, id, problem)) return;
    this.unreadable(line.toString('utf8'), problem);
  }

  /** Fails the call that an unreadable line names as the one it answers. */
  private failById(line: Buffer, id: Span | undefined, problem: string): boolean {
    const answered = answeredId(line, id);
    if (answered === undefined || !this.handler.isPending(answered)) return false;
    this.handler.drop(problem);
    return this.handler.failCall(answered, problem);
  }

  private unreadable(text: string, problem: string): void {
    this.handler.drop(problem, text);
    // A log line that quotes a request answers nothing: its call goes on waiting for the response.
    if (!mayBeResponse(text)) return;
    const ids = this.pendingIn(text);
    // One of several would be a guess, except in a batch, where each may be the id of a response.
    if (ids.size === 1 || mayBeBatch(text)) this.failCalls(ids, problem);
  }

  private pendingIn(text: string): ReadonlySet<number> {
    return recoverIds(text, (id) => this.handler.isPending(id));
  }

  private failCalls(ids: Iterable<number>, problem: string): void {
    for (const id of ids) this.handler.failCall(id, problem);
  }
}

/** Between the ends is a character that JSON has nowhere between its tokens: no member seems to reach from one into the other. */
function excerpt({ head, tail }: OversizedLine): string {
  return `${head.toString('utf8')}…${tail.toString('utf8')}`;
}
