import type { ServerResponse } from 'node:http';

import type { ReplyConnection } from './open-requests.js';
import type { SessionStream } from './session-stream.js';

/** The parts of a session that a {@link PostReply} uses. */
export interface ReplySession {
  readonly limits: {
    /** How long a request may remain unanswered before its response becomes a stream, which clients can resume. */
    readonly streamAfterMs: number;
    /** How long a client may accept none of the queued data before its connection is closed. */
    readonly stallMs: number;
  };
  /** The headers of a JSON response, with names and values alternating. */
  readonly jsonHeaders: readonly string[];
  /** Begins a stream on a response to a client with this protocol revision. */
  openStream(response: ServerResponse, version: string | undefined): SessionStream;
}

/** The maximum size, in bytes, of a body that is sent together with the head of its response. */
const MAX_ONE_PIECE_BYTES = 16 * 1024;

/**
 * The HTTP response to one POST that contains requests: JSON if the mux sends a single line, otherwise an event stream.
 */
export class PostReply implements ReplyConnection {
  stream: SessionStream | undefined;
  private readonly streamTimer: NodeJS.Timeout;

  /**
   * @param remainingRequests the number of requests in the body
   * @param version the client's protocol revision, which determines how the client reads a stream
   */
  constructor(
    private readonly session: ReplySession,
    private readonly response: ServerResponse,
    private remainingRequests: number,
    private readonly version: string | undefined,
  ) {
    this.streamTimer = setTimeout(beginStream, session.limits.streamAfterMs, this).unref();
    // The responses to a batch are sent separately, which requires a stream.
    if (remainingRequests > 1) this.ensureStream();
  }

  get isConnected(): boolean {
    return this.stream?.isConnected ?? !this.response.destroyed;
  }

  /** Sends the response to one request of the body. */
  sendAnswer(line: Buffer): void {
    if (this.stream === undefined) this.sendJson(line);
    else this.stream.send(line);
    this.finishRequest();
  }

  /** Sends a message that comes before the response. */
  sendMessage(line: Buffer): void {
    this.ensureStream()?.send(line);
  }

  /** Records that one request of the body will not get a response. */
  abandonRequest(): void {
    this.ensureStream();
    this.finishRequest();
  }

  /** Ends the response. No further message will be sent. */
  end(): void {
    this.ensureStream()?.end();
  }

  private finishRequest(): void {
    this.remainingRequests -= 1;
    if (this.remainingRequests > 0) return;
    clearTimeout(this.streamTimer);
    this.stream?.end();
  }

  /** Returns the stream of this response, beginning it if necessary, or undefined if the client has disconnected. */
  ensureStream(): SessionStream | undefined {
    clearTimeout(this.streamTimer);
    const { session, response, version } = this;
    if (this.stream === undefined && !response.destroyed) this.stream = session.openStream(response, version);
    return this.stream;
  }

  private sendJson(line: Buffer): void {
    const { response, session } = this;
    if (response.destroyed) return;
    const length = line.length - 1;
    response.writeHead(200, [...session.jsonHeaders, 'content-length', String(length)]);
    if (length > MAX_ONE_PIECE_BYTES) response.end(line.subarray(0, length));
    // Sent as a latin1 string, because Node.js appends only strings to the head.
    else response.end(line.toString('latin1', 0, length), 'latin1');
    if (response.writableLength > 0) response.setTimeout(session.limits.stallMs, () => response.destroy());
  }
}

function beginStream(reply: PostReply): void {
  reply.ensureStream();
}
