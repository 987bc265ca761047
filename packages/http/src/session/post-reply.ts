import type { ServerResponse } from 'node:http';

import type { ReplyConnection } from './open-requests.js';
import type { SessionStream } from './session-stream.js';

/** The session to which a {@link PostReply} belongs. */
export interface ReplySession {
  readonly limits: {
    /**
     * The time after which the response to an unanswered request becomes a stream, which stays open through proxies
     * and can be resumed.
     */
    readonly streamAfterMs: number;
    /** The time after which a connection is closed if its client accepts none of the queued data. */
    readonly stallMs: number;
  };
  /** The headers of a JSON response, as alternating names and values. */
  readonly jsonHeaders: readonly string[];
  /** Begins a stream on a response to a client with this protocol revision. */
  openStream(response: ServerResponse, version: string | undefined): SessionStream;
}

/** Maximum size of a body that is sent in one piece with the head of its response. */
const MAX_ONE_PIECE_BYTES = 16 * 1024;

/** The response to one POST with requests: JSON if the mux sends only a single response, otherwise an event stream. */
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

  /** Sends a message that precedes the response. */
  sendMessage(line: Buffer): void {
    this.ensureStream()?.send(line);
  }

  /** Records that one request of the body will not be answered. */
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

  /** Returns the response's stream, beginning it if necessary, or undefined if the client has disconnected. */
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
