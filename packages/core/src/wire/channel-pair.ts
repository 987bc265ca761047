import type { ChannelHandler, LineChannel } from './line-channel.js';

/** Two channels in memory, each the other's peer: what one sends, the other receives, in a later microtask. */
export function channelPair(): readonly [LineChannel, LineChannel] {
  const left = new MemoryChannel();
  const right = new MemoryChannel();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryChannel implements LineChannel {
  readonly saturated = false;
  peer: MemoryChannel | undefined;
  private handler: ChannelHandler | undefined;
  private readonly received: Buffer[] = [];
  private isPaused = false;
  private isOver = false;

  open(handler: ChannelHandler): void {
    this.handler = handler;
    this.deliverSoon();
  }

  get queuedBytes(): number {
    return this.peer?.received.reduce((sum, line) => sum + line.length, 0) ?? 0;
  }

  send(line: Buffer): void {
    if (this.isOver) return;
    this.peer?.receive(line);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.deliverSoon();
  }

  end(): Promise<void> {
    this.destroy();
    return Promise.resolve();
  }

  destroy(): void {
    this.over();
    this.peer?.over();
  }

  private receive(line: Buffer): void {
    // Without the newline: receivers are given lines, as by a framer.
    this.received.push(line.subarray(0, -1));
    this.deliverSoon();
  }

  private deliverSoon(): void {
    queueMicrotask(() => {
      while (!this.isPaused && this.handler !== undefined) {
        const line = this.received.shift();
        if (line === undefined) return;
        this.handler.line(line);
      }
    });
  }

  private over(): void {
    if (this.isOver) return;
    this.isOver = true;
    queueMicrotask(() => this.handler?.ended({ reason: 'closed' }));
  }
}
