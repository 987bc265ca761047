import type { Socket } from 'node:net';
import process from 'node:process';

import { StreamChannel, type OutgoingLine, type StreamChannelLimits } from '@mcpmux/wire';

import { OpenRequests } from './open-requests.js';

/** The events of a {@link ProcessLink}. */
export interface LinkEvents {
  /** @param isWhole false if the stream has ended and the line may be incomplete */
  line(line: Buffer, isWhole: boolean): void;
  /** Called when the link can accept more lines from the client. */
  drained(): void;
  /** Called when the connection has ended. */
  ended(): void;
}

/** How long open requests may delay the end of a link, in milliseconds. A process that is not shared waits as long. */
export const ANSWER_TIMEOUT_MS = 500;

/** The connection to one shared process, with its open requests. */
export class ProcessLink {
  readonly openRequests = new OpenRequests();
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  private readonly channel: StreamChannel;
  /** Runs while open requests delay the end. */
  private endTimer: NodeJS.Timeout | undefined;

  /** @param events used only after the constructor has returned */
  constructor(
    socket: Socket,
    limits: StreamChannelLimits,
    events: LinkEvents,
    private readonly platform: NodeJS.Platform = process.platform,
  ) {
    const channel = new StreamChannel({ input: socket, output: socket }, limits);
    this.channel = channel;
    this.closed = new Promise((resolve) => {
      channel.open({
        line: (line) => {
          events.line(line, !socket.readableEnded);
          if (this.endTimer !== undefined) this.end();
        },
        oversized: () => channel.destroy(),
        drained: () => events.drained(),
        ended: () => {
          clearTimeout(this.endTimer);
          channel.destroy();
          events.ended();
          resolve();
        },
      });
    });
    // The socket may be paused after reading the handshake.
    channel.resume();
  }

  get saturated(): boolean {
    return this.channel.saturated;
  }

  send(line: OutgoingLine): void {
    this.channel.send(line);
  }

  pause(): void {
    this.channel.pause();
  }

  resume(): void {
    this.channel.resume();
  }

  /**
   * Signals that the client will send no more lines. The process responds to open requests, then ends the connection. A
   * Windows pipe ends in both directions within 50 ms, so on Windows the signal is sent after the responses.
   */
  end(): void {
    if (this.platform !== 'win32' || this.openRequests.isIdle) void this.channel.end();
    else this.endTimer ??= setTimeout(() => void this.channel.end(), ANSWER_TIMEOUT_MS);
  }

  destroy(): void {
    this.channel.destroy();
  }
}
