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
import { type Outgoing, OutgoingMessages } from './outgoing-messages.js';
import { RemoteError } from './remote-error.js';
import { RemoteSession, type RemoteSessionComponents } from './remote-session.js';
import type { RemoteEndpoint } from './remote-endpoint.js';
import type { HttpRequests, RequestHeaders } from './request-headers.js';
import { Sending } from './sending.js';

/** The dependencies of a {@link RemoteChannel}. */
export interface RemoteChannelInit extends Omit<RemoteSessionComponents, 'flow'> {
  readonly endpoint: RemoteEndpoint;
  /** Bytes queued for the server above which the channel is treated as saturated. */
  readonly highWatermarkBytes: number;
  /** True if the request with this id has no response yet. */
  readonly isAwaited: (id: number) => boolean;
  /** Called when the request with this id will get no response. The session continues. */
  readonly undelivered: (id: number, error: RemoteError) => void;
  /** Called when a refusal mentions the session. Resolves with true if a new session is available. */
  readonly doubted: () => Promise<boolean>;
  /** Reports a problem that no request was waiting for. */
  readonly trouble: (problem: string) => void;
}

/** A request with an unfinished response. */
interface Call {
  readonly sending: Sending;
  /** True if closing the response cancels the request. */
  readonly isStateless: boolean;
}

/**
 * Lines over HTTP. Each message is the body of a separate POST. No message waits for the response to another, and a
 * failed message does not end the session.
 */
export class RemoteChannel implements Channel, HttpRequests {
  private handler: ChannelHandler | undefined;
  /** The steps of the handshake that must end before the next message is sent. */
  private before: Promise<void> | undefined;
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
    this.session = new RemoteSession(
      init.endpoint,
      { ...init, flow: this.arrivals },
      {
        line: (parts) => this.receive(parts),
        taken: (id) => this.calls.take(id)?.sending.end(),
        ended: (id, why) => this.arrivals.add(() => this.ended(id, why)),
        isAwaited: init.isAwaited,
        renewed: (message) => this.messages.renewed(message),
        doubted: init.doubted,
        over: (error) => this.over({ reason: 'failed', error }),
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
    const { before } = this;
    const passing = before === undefined ? this.pass(message) : before.then(() => this.pass(message));
    const sending = passing.then(() => this.sent(line.length));
    // The server must know the session, and that it has begun, before it gets any other message.
    const { request, notification } = this.init.opening;
    if (message.method === request || message.method === notification) this.hold(sending);
  }

  /** Stops reading responses, so the server waits. */
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
   * Ends the session and reports this to the server within `limitMs`. Resolves when all connections of the session are
   * closed.
   */
  close(limitMs: number): Promise<void> {
    this.over({ reason: 'closed' });
    this.closing ??= this.session.close(limitMs);
    return this.closing;
  }

  private hold(sending: Promise<void>): void {
    const step = sending.finally(() => {
      if (this.before === step) this.before = undefined;
    });
    this.before = step;
  }

  /** Passes a message to the session. Never rejects. */
  private async pass(message: Outgoing): Promise<void> {
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

  /**
   * Aborts a cancelled request, because its response is no longer needed and servers keep the stream of a cancelled
   * call open.
   */
  private cancelled(id: number): void {
    this.calls.take(id)?.sending.abort();
  }

  private ended(id: number, why?: RemoteError): void {
    const call = this.calls.take(id);
    call?.sending.end();
    if (call === undefined || this.outcome !== undefined || !this.init.isAwaited(id)) return;
    this.init.undelivered(id, why ?? unanswered());
  }

  private receive(parts: LineParts): void {
    if (this.outcome !== undefined) return;
    if (this.openingId !== undefined) this.opened(Buffer.concat(parts), this.openingId);
    this.arrivals.add(parts);
  }

  private opened(line: Buffer, openingId: number): void {
    const message = parsedJson(line.toString());
    if (!isRecord(message) || message['id'] !== openingId || 'method' in message) return;
    this.openingId = undefined;
    const { result } = message;
    const version = isRecord(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.session.agreed(version);
  }

  private sent(bytes: number): void {
    this.unsentBytes -= bytes;
    if (!this.isSaturated || this.unsentBytes > this.init.highWatermarkBytes) return;
    this.isSaturated = false;
    if (this.outcome === undefined) this.handler?.drained();
  }

  private over(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    // Lines that arrived before the end are delivered first.
    this.arrivals.release();
    this.outcome = outcome;
    this.handler?.ended(outcome);
  }
}

function unanswered(): RemoteError {
  const problem = 'it ended the stream of this request without an answer';
  return new RemoteError(problem, 'The request may have had effects. Check them, then try again.');
}
