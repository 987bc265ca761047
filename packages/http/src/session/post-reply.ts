import type { ServerResponse } from 'node:http';

import type { ReplyConnection } from './open-requests.js';
import type { SessionStream } from './session-stream.js';

/** The parts of a {@link PostReply}. */
export interface PostReplyParts {
  readonly response: ServerResponse;
  /** The keys of the requests in the body. */
  readonly ids: readonly string[];
  /** Headers of an answer in JSON: names and values in turn. */
  readonly jsonHeaders: readonly string[];
  /** How long an answer may take before the client gets a stream, which lives through proxies and can be resumed. */
  readonly streamAfterMs: number;
  /** How long an answer may stay unread. */
  readonly stallMs: number;
  /** Begins a stream on the response. */
  readonly openStream: (response: ServerResponse) => SessionStream;
  /** Called when every request of the body is answered or given up. */
  readonly onSettled: (reply: PostReply) => void;
}

/** Up to this size the head of a response and its body leave in one piece. */
const ONE_PIECE_BYTES = 16 * 1024;

/**
 * The response to one POST with requests: JSON if an answer is all that there is to say, otherwise a stream of events.
 */
export class PostReply implements ReplyConnection {
  stream: SessionStream | undefined;
  private readonly open: Set<string>;
  private readonly late: NodeJS.Timeout;

  constructor(private readonly parts: PostReplyParts) {
    this.open = new Set(parts.ids);
    this.late = setTimeout(() => this.asStream(), parts.streamAfterMs).unref();
    // The answers to a batch leave one by one.
    if (this.open.size > 1) this.asStream();
  }

  get isConnected(): boolean {
    return this.stream?.isConnected ?? !this.parts.response.destroyed;
  }

  /** Sends the answer to one of the requests. */
  answer(id: string, line: Buffer): void {
    if (this.stream === undefined) this.answerJson(line);
    else this.stream.send(line);
    this.settle(id);
  }

  /** Sends a message that comes before the answer. */
  message(line: Buffer): void {
    this.asStream()?.send(line);
  }

  /** One of the requests gets no answer. */
  giveUp(id: string): void {
    this.asStream();
    this.settle(id);
  }

  /** No further answer will come. */
  end(): void {
    this.asStream()?.end();
    this.open.clear();
  }

  private settle(id: string): void {
    this.open.delete(id);
    if (this.open.size > 0) return;
    clearTimeout(this.late);
    this.stream?.end();
    this.parts.onSettled(this);
  }

  /** The stream of the response, which begins now if it has not yet; undefined when the client has gone. */
  private asStream(): SessionStream | undefined {
    clearTimeout(this.late);
    const { response, openStream } = this.parts;
    if (this.stream === undefined && !response.destroyed) this.stream = openStream(response);
    return this.stream;
  }

  private answerJson(line: Buffer): void {
    const { response, jsonHeaders, stallMs } = this.parts;
    if (response.destroyed) return;
    const length = line.length - 1;
    response.writeHead(200, [...jsonHeaders, 'content-length', String(length)]);
    if (length > ONE_PIECE_BYTES) response.end(line.subarray(0, length));
    // As one text, of one byte a character: Node.js joins only texts to the head.
    else response.end(line.toString('latin1', 0, length), 'latin1');
    if (response.writableLength > 0) response.setTimeout(stallMs, () => response.destroy());
  }
}
