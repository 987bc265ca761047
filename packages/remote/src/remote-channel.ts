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
  /** Returns true while the request with this id has no response. */
  readonly isAwaited: (id: number) => boolean;
  /** Called when the request with this id will not get a response. The session continues. */
  readonly undelivered: (id: number, error: RemoteError) => void;
  /** Called when a rejection mentions the session. Must resolve to true if a new session is available. */
  readonly doubted: () => Promise<boolean>;
  /** Reports a problem that does not concern any pending request. */
  readonly trouble: (problem: string) => void;
}

/** A request whose response is incomplete. */
interface UnfinishedCall {
  readonly sending: Sending;
  /** True if closing the response cancels the request. */
  readonly isStateless: boolean;
}

/**
 * A channel over HTTP. Each message is the body of its own POST request. A message is sent without waiting for the
 * responses to earlier messages, and a failed message does not end the session.
 */
export class RemoteChannel implements Channel, HttpRequests {
  private handler: ChannelHandler | undefined;
  /** The handshake step that must complete before the next message is sent. */
  private handshakeStep: Promise<void> | undefined;
  /** The requests whose responses are incomplete. */
  private readonly unfinishedCalls = new PendingTable<number, UnfinishedCall>();
  /** The id of the opening request, until its response has arrived. */
  private openingId: number | undefined;
  private unsentBytes = 0;
  private isSaturated = false;
  private outcome: ChannelEnd | undefined;
  private readonly receiveQueue = new ReceiveQueue((parts) =>
    takeJoined(parts, (line) => this.handler?.line(line)),
  );
  private readonly outgoingMessages = new OutgoingMessages();
  private readonly session: RemoteSession;
  private closePromise: Promise<void> | undefined;

  constructor(private readonly init: RemoteChannelInit) {
    const { opening, createTokens, clock, mask, maxMessageBytes } = init;
    this.session = new RemoteSession(
      init.endpoint,
      { opening, createTokens, clock, mask, maxMessageBytes, flow: this.receiveQueue },
      {
        line: (parts) => this.receive(parts),
        onAccepted: (id) => this.unfinishedCalls.take(id)?.sending.releaseRequest(),
        onEnded: (id, why) => this.receiveQueue.add(() => this.finishCall(id, why)),
        isAwaited: init.isAwaited,
        renewHeaders: (message) => this.outgoingMessages.withRenewedHeaders(message),
        onSessionDoubt: init.doubted,
        onSessionEnd: (error) => this.reportEnd({ reason: 'failed', error }),
        reportProblem: init.trouble,
      },
    );
  }

  get saturated(): boolean {
    return this.isSaturated;
  }

  get queuedBytes(): number {
    return this.unsentBytes;
  }

  /** The number of requests whose responses are incomplete. */
  get openRequests(): number {
    return this.unfinishedCalls.size;
  }

  get hasSession(): boolean {
    return this.session.hasSession;
  }

  open(handler: ChannelHandler): void {
    this.handler = handler;
  }

  headersBy(headers: RequestHeaders): void {
    this.outgoingMessages.setHeaders(headers);
  }

  send(outgoing: OutgoingLine): void {
    if (this.outcome !== undefined) return;
    const line = inOnePiece(outgoing);
    const message = this.outgoingMessages.read(line);
    this.unsentBytes += line.length;
    if (this.unsentBytes > this.init.highWatermarkBytes) this.isSaturated = true;
    const { handshakeStep } = this;
    const whenPassed =
      handshakeStep === undefined
        ? this.passToSession(message)
        : handshakeStep.then(() => this.passToSession(message));
    const whenSent = whenPassed.then(() => this.handleLineSent(line.length));
    // The handshake must be complete before the server receives any other message.
    const { request, notification } = this.init.opening;
    if (message.method === request || message.method === notification) this.addHandshakeStep(whenSent);
  }

  /** Stops reading responses, so that the server has to wait. */
  pause(): void {
    this.receiveQueue.pause();
  }

  resume(): void {
    this.receiveQueue.resume();
  }

  end(): Promise<void> {
    return this.close(0);
  }

  destroy(): void {
    void this.close(0);
  }

  /** Ends the session and notifies the server within `limitMs`. Resolves when all connections are closed. */
  close(limitMs: number): Promise<void> {
    this.reportEnd({ reason: 'closed' });
    this.closePromise ??= this.session.close(limitMs);
    return this.closePromise;
  }

  private addHandshakeStep(sending: Promise<void>): void {
    const step = sending.finally(() => {
      if (this.handshakeStep === step) this.handshakeStep = undefined;
    });
    this.handshakeStep = step;
  }

  /** Passes a message to the session. Never rejects. */
  private async passToSession(message: OutgoingMessage): Promise<void> {
    if (this.outcome !== undefined) return;
    const { id, method, cancelledId } = message;
    if (cancelledId !== undefined && this.unfinishedCalls.peek(cancelledId)?.isStateless === true)
      return this.abortCall(cancelledId);
    const sending = new Sending();
    if (id !== undefined)
      this.unfinishedCalls.add(id, { sending, isStateless: message.headers !== undefined });
    try {
      if (method === this.init.opening.request) {
        this.openingId = id;
        await this.session.open(message, sending);
      } else await this.session.send(message, sending);
      if (cancelledId !== undefined) this.abortCall(cancelledId);
    } catch (error) {
      const remoteError = error instanceof RemoteError ? error : new RemoteError(String(error));
      if (id !== undefined) this.finishCall(id, remoteError);
      else if (this.outcome === undefined) this.init.trouble(remoteError.problem);
    }
  }

  /** Aborts a cancelled request, because servers leave the streams of cancelled calls open. */
  private abortCall(id: number): void {
    this.unfinishedCalls.take(id)?.sending.abort();
  }

  private finishCall(id: number, why?: RemoteError): void {
    const call = this.unfinishedCalls.take(id);
    call?.sending.releaseRequest();
    if (call === undefined || this.outcome !== undefined || !this.init.isAwaited(id)) return;
    this.init.undelivered(id, why ?? unansweredError());
  }

  private receive(parts: LineParts): void {
    if (this.outcome !== undefined) return;
    if (this.openingId !== undefined) this.readOpeningResponse(Buffer.concat(parts), this.openingId);
    this.receiveQueue.add(parts);
  }

  private readOpeningResponse(line: Buffer, openingId: number): void {
    const message = parsedJson(line.toString());
    if (!isRecord(message) || message['id'] !== openingId || 'method' in message) return;
    this.openingId = undefined;
    const { result } = message;
    const version = isRecord(result) ? result['protocolVersion'] : undefined;
    if (typeof version === 'string') this.session.setProtocolVersion(version);
  }

  private handleLineSent(bytes: number): void {
    this.unsentBytes -= bytes;
    if (!this.isSaturated || this.unsentBytes > this.init.highWatermarkBytes) return;
    this.isSaturated = false;
    if (this.outcome === undefined) this.handler?.drained();
  }

  private reportEnd(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    // Lines that arrived before the end must be delivered first.
    this.receiveQueue.deliverAll();
    this.outcome = outcome;
    this.handler?.ended(outcome);
  }
}

function unansweredError(): RemoteError {
  const problem = 'it ended the stream of this request without an answer';
  return new RemoteError(problem, 'The request may have had effects. Check them, then try again.');
}
