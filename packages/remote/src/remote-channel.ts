import { isRecord, parsedJson } from '@mcpmux/kit';
import {
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  inOnePiece,
  type OutgoingLine,
  PendingTable,
  takeJoined,
} from '@mcpmux/wire';
import { ReceiveQueue } from './receive-queue.js';
import type { LineParts } from './line-parts.js';
import { type OutgoingMessage, OutgoingMessages } from './outgoing-messages.js';
import { RemoteError } from './remote-error.js';
import { RemoteSession, type RemoteSessionComponents } from './remote-session.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import type { HttpRequests, RequestHeaders } from './request-headers.js';
import { Sending } from './sending.js';

/** The dependencies of a {@link RemoteChannel}. */
export interface RemoteChannelInit extends Omit<RemoteSessionComponents, 'flow'> {
  readonly endpoint: RemoteEndpoint;
  /** The number of bytes queued for the server above which the channel is saturated. */
  readonly highWatermarkBytes: number;
  /** Returns true if the request with this id has no response yet. */
  readonly isAwaited: (id: number) => boolean;
  /** Called when the request with this id will not be answered. The session continues. */
  readonly undelivered: (id: number, error: RemoteError) => void;
  /** Called when a refusal mentions the session. Must resolve with true if a new session is available. */
  readonly doubted: () => Promise<boolean>;
  /** Reports a problem that does not concern a waiting request. */
  readonly trouble: (problem: string) => void;
}

/** A request with an unfinished response. */
interface Call {
  readonly sending: Sending;
  /** True if closing the response cancels the request. */
  readonly isStateless: boolean;
}

/**
 * A channel over HTTP. Each message is the body of a separate POST. Messages do not wait for the responses to earlier
 * messages, and a failed message does not end the session.
 */
export class RemoteChannel implements Channel, HttpRequests {
  private handler: ChannelHandler | undefined;
  /** The handshake step that must complete before the next message is sent. */
  private handshake: Promise<void> | undefined;
  /** Requests with unfinished responses. */
  private readonly calls = new PendingTable<number, Call>();
  /** The id of the opening request until its response arrives. */
  private openingId: number | undefined;
  private unsentBytes = 0;
  private isSaturated = false;
  private outcome: ChannelEnd | undefined;
  private readonly arrivals = new ReceiveQueue((parts) =>
    takeJoined(parts, (line) => this.handler?.line(line)),
  );
  private readonly messages = new OutgoingMessages();
  private readonly session: RemoteSession;
  private closing: Promise<void> | undefined;

  constructor(private readonly init: RemoteChannelInit) {
    const { opening, createTokens, clock, mask, maxMessageBytes } = init;
    this.session = new RemoteSession(
      init.endpoint,
      { opening, createTokens, clock, mask, maxMessageBytes, flow: this.arrivals },
      {
        line: (parts) => this.receive(parts),
        accepted: (id) => this.calls.take(id)?.sending.end(),
        ended: (id, why) => this.arrivals.add(() => this.ended(id, why)),
        isAwaited: init.isAwaited,
        renewed: (message) => this.messages.withRenewedHeaders(message),
        doubted: init.doubted,
        sessionEnded: (error) => this.finish({ reason: 'failed', error }),
        trouble: init.trouble,
      },
    );
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  get queuedBytes(): number {
    return this.unsentBytes;
  }

  /** The number of requests with unfinished responses. */
  get openRequests(): number {
    return this.calls.size;
  }

  get hasSession(): boolean {
    return this.session.hasSession;
  }

  open(handler: ChannelHandler): void {
    this.handler = handler;
  }

  headersBy(headers: RequestHeaders): void {
    this.messages.headersBy(headers);
  }

  send(outgoing: OutgoingLine): void {
    if (this.outcome !== undefined) return;
    const line = inOnePiece(outgoing);
    const message = this.messages.read(line);
    this.unsentBytes += line.length;
    if (this.unsentBytes > this.init.highWatermarkBytes) this.isSaturated = true;
    const { handshake } = this;
    const passing = handshake === undefined ? this.pass(message) : handshake.then(() => this.pass(message));
    const sending = passing.then(() => this.lineSent(line.length));
    // The handshake must be complete before the server receives any other message.
    const { request, notification } = this.init.opening;
    if (message.method === request || message.method === notification) this.addHandshakeStep(sending);
  }

  /** Stops reading responses, so that the server must wait. */
  pause(): void {
    this.arrivals.pause();
  }

  resume(): void {
    this.arrivals.resume();
  }

  end(): Promise<void> {
    return this.close(0);
  }

  destroy(): void {
    void this.close(0);
  }

  /**
   * Ends the session and reports its end to the server within `limitMs`. Resolves when all connections of the session
   * are closed.
   */
  close(limitMs: number): Promise<void> {
    this.finish({ reason: 'closed' });
    this.closing ??= this.session.close(limitMs);
    return this.closing;
  }

  private addHandshakeStep(sending: Promise<void>): void {
    const step = sending.finally(() => {
      if (this.handshake === step) this.handshake = undefined;
    });
    this.handshake = step;
  }

  /** Passes a message to the session. Never rejects. */
  private async pass(message: OutgoingMessage): Promise<void> {
    if (this.outcome !== undefined) return;
    const { id, method, cancels } = message;
    if (cancels !== undefined && this.calls.peek(cancels)?.isStateless === true)
      return this.cancelled(cancels);
    const sending = new Sending();
    if (id !== undefined) this.calls.add(id, { sending, isStateless: message.headers !== undefined });
    try {
      if (method === this.init.opening.request) {
        this.openingId = id;
        await this.session.open(message, sending);
      } else await this.session.send(message, sending);
      if (cancels !== undefined) this.cancelled(cancels);
    } catch (error) {
      const problem = error instanceof RemoteError ? error : new RemoteError(String(error));
      if (id !== undefined) this.ended(id, problem);
      else if (this.outcome === undefined) this.init.trouble(problem.problem);
    }
  }

  /** Aborts a cancelled request. Its response is not needed, and servers leave the streams of cancelled calls open. */
  private cancelled(id: number): void {
    this.calls.take(id)?.sending.abort();
  }

  private ended(id: number, why?: RemoteError): void {
    const call = this.calls.take(id);
    call?.sending.end();
    if (call === undefined || this.outcome !== undefined || !this.init.isAwaited(id)) return;
    this.init.undelivered(id, why ?? unansweredError());
  }

  private receive(parts: LineParts): void {
    if (this.outcome !== undefined) return;
    if (this.openingId !== undefined) this.checkOpening(Buffer.concat(parts), this.openingId);
    this.arrivals.add(parts);
  }

  private checkOpening(line: Buffer, openingId: number): void {
    const message = parsedJson(line.toString());
    if (!isRecord(message) || message['id'] !== openingId || 'method' in message) return;
    this.openingId = undefined;
    const { result } = message;
    const version = isRecord(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.session.setProtocolVersion(version);
  }

  private lineSent(bytes: number): void {
    this.unsentBytes -= bytes;
    if (!this.isSaturated || this.unsentBytes > this.init.highWatermarkBytes) return;
    this.isSaturated = false;
    if (this.outcome === undefined) this.handler?.drained();
  }

  private finish(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    // Lines that arrived before the end must be delivered first.
    this.arrivals.release();
    this.outcome = outcome;
    this.handler?.ended(outcome);
  }
}

function unansweredError(): RemoteError {
  const problem = 'it ended the stream of this request without an answer';
  return new RemoteError(problem, 'The request may have had effects. Check them, then try again.');
}
