import type { ChannelEnd, ChannelHandler, Channel } from './channel.js';
import type { WriteQueueLimits } from './write-queue.js';
import { inOnePiece, type OutgoingLine } from '../splice/splice.js';

/**
 * The members of an official SDK transport that mcpmux uses.
 *
 * This structural type matches the transports of `@modelcontextprotocol/sdk` (v1) and of `@modelcontextprotocol/client`
 * and `/server` (v2) without a dependency on them.
 */
export interface SdkTransport {
  start(): Promise<void>;
  send(message: never): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Limits of a {@link TransportChannel}, in bytes. */
export interface TransportChannelLimits extends WriteQueueLimits {
  /**
   * The maximum size of the lines that are queued while the channel is paused. If it is exceeded, the channel ends,
   * because its peer cannot be paused.
   */
  readonly maxHeldBytes: number;
}

/**
 * A channel over an SDK transport, which transfers objects. Each incoming message is serialized once, and each outgoing
 * message is parsed once, so numbers above 2^53 and duplicate keys are not preserved. Use byte streams if that matters.
 */
export class TransportChannel implements Channel {
  saturated = false;
  queuedBytes = 0;
  private handler: ChannelHandler | undefined;
  private lastSend: Promise<void> = Promise.resolve();
  private receivedLines: Buffer[] = [];
  private receivedBytes = 0;
  private isPaused = false;
  private outcome: ChannelEnd | undefined;
  private isEndReported = false;
  private closePromise: Promise<void> | undefined;

  constructor(
    private readonly transport: SdkTransport,
    private readonly limits: TransportChannelLimits,
  ) {}

  open(handler: ChannelHandler): void {
    this.handler = handler;
    const { transport } = this;
    transport.onmessage = (message: unknown) => this.receive(Buffer.from(JSON.stringify(message)));
    transport.onclose = () => this.recordEnd({ reason: 'closed' });
    // SDK transports also report unreadable lines here, and continue. Only a failure to start or send ends the channel.
    transport.onerror = () => undefined;
    transport.start().catch((error: unknown) => this.recordEnd({ reason: 'failed', error: toError(error) }));
  }

  send(outgoing: OutgoingLine): void {
    if (this.outcome !== undefined) return;
    const line = inOnePiece(outgoing);
    const message = JSON.parse(line.toString('utf8')) as never;
    this.queuedBytes += line.length;
    if (this.queuedBytes > this.limits.highWatermarkBytes) this.saturated = true;
    this.lastSend = this.lastSend
      .then(() => (this.outcome === undefined ? this.transport.send(message) : undefined))
      .catch((error: unknown) => this.recordEnd({ reason: 'failed', error: toError(error) }))
      .then(() => this.handleLineSent(line.length));
  }

  /** Pauses delivery. The transport has no flow control, so arriving lines are queued here, up to a limit. */
  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    while (!this.isPaused) {
      const line = this.receivedLines.shift();
      if (line === undefined) break;
      this.receivedBytes -= line.length;
      this.handler?.line(line);
    }
    this.reportEnd();
  }

  async end(): Promise<void> {
    await this.lastSend;
    await this.closeOnce();
  }

  destroy(): void {
    this.dropReceived();
    this.recordEnd({ reason: 'closed' });
    void this.closeOnce();
  }

  private handleLineSent(bytes: number): void {
    this.queuedBytes -= bytes;
    if (!this.saturated || this.queuedBytes > 0) return;
    this.saturated = false;
    if (this.outcome === undefined) this.handler?.drained();
  }

  private receive(line: Buffer): void {
    if (this.outcome !== undefined) return;
    // A line that arrives while queued lines are being delivered must follow them.
    if (this.isPaused || this.receivedLines.length > 0) this.enqueue(line);
    else this.handler?.line(line);
  }

  private enqueue(line: Buffer): void {
    const { maxHeldBytes } = this.limits;
    this.receivedLines.push(line);
    this.receivedBytes += line.length;
    if (this.receivedBytes <= maxHeldBytes) return;
    // The queued lines would delay the report of the end until the peer reads them, so they are dropped.
    this.dropReceived();
    const problem = `the peer sent more than ${maxHeldBytes} bytes and does not read what mcpmux sends`;
    this.recordEnd({ reason: 'failed', error: new Error(problem) });
  }

  private dropReceived(): void {
    this.receivedLines = [];
    this.receivedBytes = 0;
  }

  private recordEnd(outcome: ChannelEnd): void {
    this.outcome ??= outcome;
    this.reportEnd();
  }

  /** Reports the end after the lines that arrived before it. A pause therefore delays the end too. */
  private reportEnd(): void {
    if (this.outcome === undefined || this.isEndReported || this.receivedLines.length > 0) return;
    this.isEndReported = true;
    this.handler?.ended(this.outcome);
  }

  private closeOnce(): Promise<void> {
    this.closePromise ??= this.close();
    return this.closePromise;
  }

  private async close(): Promise<void> {
    try {
      await this.transport.close();
    } catch {
      // The channel ends even if the transport fails to close.
    }
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
