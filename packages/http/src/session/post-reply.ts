import type { ServerResponse } from 'node:http';

import type { ReplyConnection } from './open-requests.js';
import type { SessionStream } from './session-stream.js';

/** The session that a {@link PostReply} belongs to. */
export interface ReplyHost {
  readonly limits: {
    /** How long an answer may take before the client gets a stream, which lives through proxies and can be resumed. */
    readonly streamAfterMs: number;
    /** How long an answer may stay unread. */
    readonly stallMs: number;
  };
  /** Headers of an answer in JSON: names and values in turn. */
  readonly jsonHeaders: readonly string[];
  /** Begins a stream on a response to a client of that revision. */
  openStream(response: ServerResponse, version: string | undefined): SessionStream;
}

/** Up to this size the head of a response and its body leave in one piece. */
const ONE_PIECE_BYTES = 16 * 1024;

/**
 * The response to one POST with requests: JSON if an answer is all that there is to say, otherwise a stream of events.
 */
export class PostReply implements ReplyConnection {
  stream: SessionStream | undefined;
  private readonly late: NodeJS.Timeout;

  /**
   * @param left the requests in the body
   * @param version the revision by which the client reads a stream
   */
  constructor(
    private readonly host: ReplyHost,
    private readonly response: ServerResponse,
    private left: number,
    private readonly version: string | undefined,
  ) {
    this.late = setTimeout(beginStream, host.limits.streamAfterMs, this).unref();
    // The answers to a batch leave one by one.
    if (left > 1) this.asStream();
  }

  get isConnected(): boolean {
    return this.stream?.isConnected ?? !this.response.destroyed;
  }

  /** Sends the answer to one of the requests. */
  answer(line: Buffer): void {
    if (this.stream === undefined) this.answerJson(line);
    else this.stream.send(line);
    this.settle();
  }

  /** Sends a message that comes before the answer. */
  message(line: Buffer): void {
    this.asStream()?.send(line);
  }

  /** One of the requests gets no answer. */
  giveUp(): void {
    this.asStream();
    this.settle();
  }

  /** No further answer will come. */
  end(): void {
    this.asStream()?.end();
  }

  private settle(): void {
    this.left -= 1;
    if (this.left > 0) return;
    clearTimeout(this.late);
    this.stream?.end();
  }

  /** The stream of the response, which begins now if it has not yet; undefined when the client has gone. */
  asStream(): SessionStream | undefined {
    clearTimeout(this.late);
    const { host, response, version } = this;
    if (this.stream === undefined && !response.destroyed) this.stream = host.openStream(response, version);
    return this.stream;
  }

  private answerJson(line: Buffer): void {
    const { response, host } = this;
    if (response.destroyed) return;
    const length = line.length - 1;
    response.writeHead(200, [...host.jsonHeaders, 'content-length', String(length)]);
    if (length > ONE_PIECE_BYTES) response.end(line.subarray(0, length));
    // As one text, of one byte a character: Node.js joins only texts to the head.
    else response.end(line.toString('latin1', 0, length), 'latin1');
    if (response.writableLength > 0) response.setTimeout(host.limits.stallMs, () => response.destroy());
  }
}

function beginStream(reply: PostReply): void {
  reply.asStream();
}
