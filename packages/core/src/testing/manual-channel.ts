import {
  type Channel,
  type ChannelEnd,
  type ChannelHandler,
  inOnePiece,
  type OutgoingLine,
} from '@mcpmux/wire';

/** A channel whose peer takes what the test lets it take. */
export class ManualChannel implements Channel {
  /** The lines that were sent, without their newlines. */
  readonly sent: string[] = [];
  saturated = false;
  queuedBytes = 0;
  progress = 0;
  isDestroyed = false;
  isPaused = false;
  /** Whether its sending side was closed. */
  isEnding = false;
  private handler: ChannelHandler | undefined;
  private flushed: () => void = () => undefined;

  open(handler: ChannelHandler): void {
    this.handler = handler;
  }

  send(line: OutgoingLine): void {
    this.sent.push(inOnePiece(line).toString('utf8').trimEnd());
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  end(): Promise<void> {
    this.isEnding = true;
    return new Promise((resolve) => (this.flushed = resolve));
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  /** A line of the peer arrives. */
  receive(line: string): void {
    this.handler?.line(Buffer.from(line));
  }

  /** So much is queued, which is more than it should be. */
  saturate(queuedBytes: number): void {
    this.saturated = true;
    this.queuedBytes = queuedBytes;
  }

  /** The peer has taken everything. */
  drain(): void {
    this.saturated = false;
    this.queuedBytes = 0;
    this.handler?.drained();
  }

  /** The peer has closed its side, or is gone. */
  endBy(reason: ChannelEnd['reason']): void {
    this.handler?.ended({ reason });
  }

  /** The peer has taken what was sent before the end. */
  flush(): void {
    this.flushed();
  }
}
