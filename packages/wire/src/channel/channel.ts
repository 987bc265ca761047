import type { LineSink } from '../frame/line-framer.js';
import type { RawId } from '../message/request-id.js';
import type { OutgoingLine } from '../splice/outgoing-line.js';

/** Why a channel has ended: the peer closed it, or it failed. */
export interface ChannelEnd {
  readonly reason: 'ended' | 'failed' | 'closed';
  readonly error?: Error;
}

/** The events of a {@link Channel}, for its owner. */
export interface ChannelHandler extends LineSink {
  /** No further line will arrive; lines can still be sent unless `failed` or `closed`. At most once. */
  ended(end: ChannelEnd): void;
  /** The queue was above its high watermark and is so far below it that more may be sent: the channel decides how far. */
  drained(): void;
}

/**
 * A duplex of JSON lines: the one thing that sessions and servers see of a transport.
 *
 * Lines given to {@link send} are complete, newline included. They leave in order. Nothing throws after the end:
 * what cannot be delivered any more is dropped, because its reader is gone.
 */
export interface Channel {
  /** Begins delivery. Nothing is delivered before, so that no line is lost to a handler that is still being built. */
  open(handler: ChannelHandler): void;
  /** @param answers the id of the request that the line answers; `null` for a message whose id could not be read */
  send(line: OutgoingLine, answers?: RawId): void;
  /** Bytes accepted by {@link send} that the peer has not taken yet. */
  readonly queuedBytes: number;
  /** True from the moment the queue exceeds its high watermark until it has {@link ChannelHandler.drained}. */
  readonly saturated: boolean;
  /** A number that changes whenever the peer takes bytes, also a part of a long line. Undefined where it cannot be known. */
  readonly progress?: number;
  /** Stops reading from the peer: the operating system's buffers fill and the peer waits. */
  pause(): void;
  resume(): void;
  /** Sends what is queued, then closes the sending side. Resolves when it is sent, or can never be. */
  end(): Promise<void>;
  /** Closes both sides at once; what is queued is lost. */
  destroy(): void;
}
