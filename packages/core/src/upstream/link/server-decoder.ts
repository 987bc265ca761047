import {
  idOf,
  type LineSink,
  membersOfEnds,
  type Message,
  MessageReader,
  type OversizedLine,
  type OwnMembers,
  type RawId,
  readIssuedId,
  recoverIds,
} from '@mcpmux/wire';
import { gluedResponse, mayBeBatch, mayBeCalling, mayBeMessage } from './damaged-response.js';
import { readServerBatch } from './server-batch.js';
import { SERVER_PATHS } from './server-paths.js';

type Malformed = Extract<Message, { kind: 'malformed' }>;
/** What is known of a message that cannot be read. */
type Unreadable = Pick<Malformed, 'problem' | 'own' | 'isJson'>;
/** A message as it came from a server. */
export type ServerMessage = Exclude<Message, Malformed>;

/** Whoever the lines of a server are for. */
export interface ServerLineHandler {
  take(line: Buffer, message: ServerMessage): void;
  isPending(id: number): boolean;
  /** The response to this call has come and cannot be read. */
  failCall(id: number, problem: string): void;
  /** A request of the server cannot be read, and perhaps its id neither. */
  refuse(id: RawId | undefined, problem: string): void;
  /** A line is of no use. */
  drop(problem: string, text?: string): void;
}

/** Makes messages of the lines of one server, and finds out whose response a damaged line was. */
export class ServerDecoder implements LineSink {
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
    this.unreadable(excerpt(line), { problem, own: membersOfEnds(line), isJson: true });
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

  private malformed(line: Buffer, message: Malformed): void {
    const glued = gluedResponse(line);
    if (glued !== undefined) return this.handler.take(glued.line, glued.response);
    this.unreadable(line.toString('utf8'), message);
  }

  /** Tells whoever waits for a message that it cannot be read, as far as it says itself who that is. */
  private unreadable(text: string, { problem, own, isJson }: Unreadable): void {
    const call = this.answered(own);
    if (call !== undefined) {
      this.handler.drop(problem);
      return this.handler.failCall(call, problem);
    }
    this.handler.drop(problem, text);
    if (own.hasMethod || mayBeCalling(text)) return this.refuse(own, problem);
    // It is no garbage, but one message: other ids in it are data, even when nobody waits for its own any more.
    if (!isJson || (own.id === undefined && !own.isIdUnclear)) this.guess(text, problem);
  }

  /** The call that waits for this message. */
  private answered({ id, hasMethod }: OwnMembers): number | undefined {
    const answered = id === undefined || hasMethod ? undefined : readIssuedId(id.text, id.span);
    return answered !== undefined && this.handler.isPending(answered) ? answered : undefined;
  }

  private refuse(own: OwnMembers, problem: string): void {
    // A notification is not answered.
    if (own.id !== undefined || own.isIdUnclear) this.handler.refuse(idOf(own), problem);
  }

  /** What nobody can say whose it is may be the response to the only call that is named in it. */
  private guess(text: string, problem: string): void {
    // A log line that quotes a request answers nothing: its call goes on waiting for the response.
    if (!mayBeMessage(text)) return;
    const ids = this.pendingIn(text);
    // One of several is not known, except in a batch, where each may be the id of a response.
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
