import type { LineSink } from '../frame/line-framer.js';
import type { RawId } from '../message/request-id.js';
import type { OutgoingLine } from '../splice/splice.js';

/** The reason for the end of a channel: the peer has ended or closed it, or it has failed. */
export interface ChannelEnd {
  readonly reason: 'ended' | 'failed' | 'closed';
  readonly error?: Error;
}

/** Receives the events of a {@link Channel}. */
export interface ChannelHandler extends LineSink {
  /** Called at most once, when no more lines will arrive. If the reason is `ended`, lines can still be sent. */
  ended(end: ChannelEnd): void;
  /**
   * Called when a queue that exceeded its high watermark has drained. The channel decides how empty the queue must be.
   */
  drained(): void;
}

/**
 * A duplex stream of JSON lines. Sessions and servers use every transport through this interface.
 *
 * Lines for {@link send} must be complete, including the newline. They are sent in order. No method throws after the
 * end. Lines that can no longer be delivered are dropped, because their reader is gone.
 */
export interface Channel {
  /** Starts delivery. No line is delivered before this call, so no line is lost while the handler is being built. */
  open(handler: ChannelHandler): void;
  /**
   * @param answers the id of the request that the line responds to, or `null` if that request's id could not be read
   */
  send(line: OutgoingLine, answers?: RawId): void;
  /** The number of bytes passed to {@link send} that the peer has not read yet. */
  readonly queuedBytes: number;
  /** True after the queue has exceeded its high watermark, until {@link ChannelHandler.drained} is called. */
  readonly saturated: boolean;
  /** A number that changes whenever the peer reads, even part of a long line. Undefined if progress is unknown. */
  readonly progress?: number;
  /** Stops reading from the peer. Once the operating system's buffers are full, the peer has to wait. */
  pause(): void;
  resume(): void;
  /** Sends the queued lines, then closes the sending side. Resolves when they have been sent or cannot be sent. */
  end(): Promise<void>;
  /** Closes both sides at once. Queued lines are lost. */
  destroy(): void;
}
