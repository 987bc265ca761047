import type { ServerResponse } from 'node:http';

import { EventStream, type EventStreamLimits } from '../session/event-stream.js';
import { EVENT_HEADERS } from '../session/event-headers.js';
import { answerStatus } from './answer-status.js';

/** Up to this size the head of a response and its body leave in one piece. */
const ONE_PIECE_BYTES = 16 * 1024;

/** The parameters of a {@link ModernReply}. */
export interface ModernReplyInit {
  readonly limits: EventStreamLimits;
  readonly method: string;
  /** False: the client reads JSON alone, and gets nothing but the answer. */
  readonly takesEvents: boolean;
}

/**
 * The response to one POST of a revision without sessions: JSON if the answer is all that there is to say, else a stream
 * of events. The status of an error is that of JSON, so the stream begins no earlier than it must.
 */
export class ModernReply {
  /** Nothing belongs to the request behind its answer. */
  isAnswered = false;
  private stream: EventStream | undefined;
  private readonly late: NodeJS.Timeout;

  constructor(
    private readonly response: ServerResponse,
    private readonly init: ModernReplyInit,
  ) {
    // A stream says from time to time that it is alive: no proxy drops it.
    this.late = setTimeout(beginStream, init.limits.keepAliveMs, this).unref();
    response.once('close', () => clearTimeout(this.late));
  }

  /** Sends a line of the mux, which has no newline. */
  send(line: Buffer, isAnswer: boolean): void {
    if (this.isAnswered) return;
    if (isAnswer) this.answer(line);
    else this.begin()?.message(line);
  }

  /** The stream of the response, which begins now if it has not yet; undefined when there can be none. */
  begin(): EventStream | undefined {
    clearTimeout(this.late);
    const { response, init } = this;
    if (this.stream === undefined && init.takesEvents && !response.destroyed)
      this.stream = new EventStream(response, [...EVENT_HEADERS], init.limits, () => undefined);
    return this.stream;
  }

  private answer(line: Buffer): void {
    this.isAnswered = true;
    clearTimeout(this.late);
    const { stream, response, init } = this;
    if (stream !== undefined) {
      stream.message(line);
      stream.end();
    } else if (!response.destroyed) {
      sendJson(response, answerStatus(init.method, line), line);
      if (response.writableLength > 0) response.setTimeout(init.limits.stallMs, () => response.destroy());
    }
  }
}

/** Sends a message that is all of a response. */
export function sendJson(response: ServerResponse, status: number, message: Buffer): void {
  const { length } = message;
  response.writeHead(status, ['content-type', 'application/json', 'content-length', String(length)]);
  if (length > ONE_PIECE_BYTES) response.end(message);
  // As one text, of one byte a character: Node.js joins only texts to the head.
  else response.end(message.toString('latin1'), 'latin1');
}

function beginStream(reply: ModernReply): void {
  reply.begin();
}
