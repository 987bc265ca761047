import type { ChannelHandler, Channel } from './channel.js';
import { inOnePiece, type OutgoingLine } from '../splice/splice.js';

/** Returns two connected in-memory channels. A line sent on one channel arrives at the other in a later microtask. */
export function memoryChannels(): readonly [Channel, Channel] {
  const left = new MemoryChannel();
  const right = new MemoryChannel();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryChannel implements Channel {
  readonly saturated = false;
  peer: MemoryChannel | undefined;
  private handler: ChannelHandler | undefined;
  private receivedLines: Buffer[] = [];
  private isPaused = false;
  private hasEnded = false;
  private isEndReported = false;

  open(handler: ChannelHandler): void {
    this.handler = handler;
    this.scheduleDelivery();
  }

  get queuedBytes(): number {
    return this.peer?.receivedLines.reduce((sum, line) => sum + line.length, 0) ?? 0;
  }

  send(line: OutgoingLine): void {
    if (this.hasEnded) return;
    this.peer?.receivedLines.push(inOnePiece(line));
    this.peer?.scheduleDelivery();
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.scheduleDelivery();
  }

  end(): Promise<void> {
    this.markEnded();
    this.peer?.markEnded();
    return Promise.resolve();
  }

  destroy(): void {
    this.receivedLines = [];
    this.markEnded();
    this.peer?.markEnded();
  }

  private markEnded(): void {
    this.hasEnded = true;
    this.scheduleDelivery();
  }

  private scheduleDelivery(): void {
    queueMicrotask(() => this.deliver());
  }

  private deliver(): void {
    const { handler } = this;
    if (handler === undefined) return;
    while (!this.isPaused) {
      const line = this.receivedLines.shift();
      if (line === undefined) break;
      // As with a framer, handlers receive lines without their newlines.
      handler.line(line.subarray(0, -1));
    }
    // The end is reported after all lines that were sent before it, even if their delivery is delayed.
    if (!this.hasEnded || this.isEndReported || this.receivedLines.length > 0) return;
    this.isEndReported = true;
    handler.ended({ reason: 'closed' });
  }
}
