import {
  type BorrowedLine,
  type EnvelopeHints,
  hintsOf,
  type Message,
  type OversizedLine,
  type RawId,
} from '@mcpmux/wire';
import { gluedResponse } from './damaged-response.js';
import { readServerBatch } from './server-batch.js';

/** A message of a server that cannot be read. */
export type MalformedMessage = Extract<Message, { kind: 'malformed' }>;
/** A message as it came from a server. */
export type ServerMessage = Exclude<Message, MalformedMessage>;

/** Takes the messages found in such lines, and the calls and requests that get none. */
export interface DamagedLineHandler {
  take(line: BorrowedLine, message: ServerMessage): void;
  isPending(id: number): boolean;
  /** The response to this call has come and cannot be read. */
  failCall(id: number, problem: string): void;
  /** A request of the server cannot be read, and perhaps its id neither. */
  refuse(id: RawId | undefined, problem: string): void;
  /** A line is of no use. */
  drop(problem: string, text?: string): void;
}

/**
 * Reads the lines of one server that are no single message. The messages of a batch are taken one by one; a damaged
 * response fails the call that it certainly answers.
 */
export class DamagedLines {
  constructor(
    private readonly handler: DamagedLineHandler,
    private readonly maxLineBytes: number,
  ) {}

  /** `message` says why the line is none. */
  line(line: BorrowedLine, message: MalformedMessage, isLast: boolean): void {
    // Half an answer of a server that has gone: the end of the run gives the better reason, and follows.
    if (isLast) return this.handler.drop(message.problem);
    if (!this.readBatch(line, message)) this.malformed(line, message);
  }

  oversized({ head, tail, length }: OversizedLine, isLast: boolean): void {
    const problem = `a line of ${length} bytes is above the limit of ${this.maxLineBytes}`;
    if (isLast) return this.handler.drop(problem);
    this.unreadable(problem, hintsOf(head, tail), `${head.toString('utf8')}…${tail.toString('utf8')}`);
  }

  private readBatch(line: BorrowedLine, { isJson }: MalformedMessage): boolean {
    return readServerBatch(line, isJson, {
      take: (element, message) => {
        if (message.kind === 'malformed') this.malformed(element, message);
        else this.handler.take(element, message);
      },
      drop: (reason) => this.handler.drop(reason),
    });
  }

  private malformed(line: BorrowedLine, { problem, hints }: MalformedMessage): void {
    const glued = gluedResponse(line);
    if (glued !== undefined) return this.handler.take(glued.line, glued.response);
    this.unreadable(problem, hints, line.toString('utf8'));
  }

  private unreadable(problem: string, { id, hasId, kind }: EnvelopeHints, text: string): void {
    // Ids of calls are integers; a text in quotes is no number.
    const call = kind === 'response' ? Number(id) : Number.NaN;
    if (this.handler.isPending(call)) {
      this.handler.drop(problem);
      return this.handler.failCall(call, problem);
    }
    this.handler.drop(problem, text);
    // A notification is not answered.
    if (kind === 'calling' && hasId) this.handler.refuse(id, problem);
  }
}
