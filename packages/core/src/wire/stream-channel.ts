import type { Readable, Writable } from 'node:stream';

import type { ChannelEnd, ChannelHandler, LineChannel } from './line-channel.js';
import { LineFramer } from './line-framer.js';
import { Outbox, type OutboxLimits } from './outbox.js';

/** A pair of byte streams: `input` carries the peer's lines to us, `output` ours to the peer. */
export interface StreamPair {
  readonly input: Readable;
  readonly output: Writable;
}

/** Sizes of a {@link StreamChannel}, in bytes. */
export interface StreamChannelLimits extends OutboxLimits {
  /** Longest line accepted from the peer, in bytes. */
  readonly maxLineBytes: number;
}

/** Newline-delimited JSON over byte streams: the MCP stdio transport, seen from either side. */
export class StreamChannel implements LineChannel {
  private readonly outbox: Outbox;
  private handler: ChannelHandler | undefined;
  private outcome: ChannelEnd | undefined;

  constructor(
    private readonly streams: StreamPair,
    private readonly limits: StreamChannelLimits,
  ) {
    this.outbox = new Outbox(streams.output, limits, () => this.handler?.drained());
    // Without a listener a broken pipe would be an uncaught exception, even before or after the channel's life.
    streams.output.on('error', (error) => this.over({ reason: 'failed', error }));
    streams.input.on('error', (error) => this.over({ reason: 'failed', error }));
  }

  open(handler: ChannelHandler): void {
    const { input } = this.streams;
    const framer = new LineFramer(handler, this.limits.maxLineBytes);
    this.handler = handler;
    input.on('data', (chunk: Buffer) => framer.push(chunk));
    input.on('end', () => {
      framer.end();
      this.over({ reason: 'ended' });
    });
    input.on('close', () => this.over({ reason: 'closed' }));
    this.tellEarlyEnd();
  }

  get queuedBytes(): number {
    return this.outbox.queuedBytes;
  }

  get saturated(): boolean {
    return this.outbox.saturated;
  }

  send(line: Buffer): void {
    this.outbox.push(line);
  }

  sendParts(parts: readonly Buffer[]): void {
    for (const part of parts) this.outbox.push(part);
  }

  pause(): void {
    this.streams.input.pause();
  }

  resume(): void {
    this.streams.input.resume();
  }

  end(): Promise<void> {
    return this.outbox.end();
  }

  destroy(): void {
    this.streams.output.destroy();
    this.streams.input.destroy();
  }

  private over(outcome: ChannelEnd): void {
    if (this.outcome !== undefined) return;
    this.outcome = outcome;
    this.handler?.ended(outcome);
  }

  /** A stream that ended, closed or failed before the channel was opened will not say so again. */
  private tellEarlyEnd(): void {
    const { outcome, streams } = this;
    if (outcome !== undefined) queueMicrotask(() => this.handler?.ended(outcome));
    else if (streams.input.readableEnded) queueMicrotask(() => this.over({ reason: 'ended' }));
    else if (streams.input.destroyed) queueMicrotask(() => this.over({ reason: 'closed' }));
  }
}
