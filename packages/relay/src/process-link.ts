import type { Socket } from 'node:net';
import process from 'node:process';

import { StreamChannel, type OutgoingLine, type StreamChannelLimits } from '@mcpmux/wire';

import { OpenRequests } from './open-requests.js';

/** The events of a {@link ProcessLink}, for its owner. */
export interface LinkEvents {
  /** @param isWhole false if the writer has ended and the line may be incomplete */
  line(line: Buffer, isWhole: boolean): void;
  /** The link accepts more lines of the client. */
  drained(): void;
  /** The connection has ended. */
  ended(): void;
}

/** How long the process has for its answers after the end of a client, as without a shared process. */
export const ANSWERS_WITHIN_MS = 500;

/** The connection to one shared process, and the requests that are open on the connection. */
export class ProcessLink {
  readonly requests = new OpenRequests();
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  private readonly channel: StreamChannel;
  /** Runs while the end waits for answers. */
  private late: NodeJS.Timeout | undefined;

  /** @param events called only after the constructor has returned */
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
          if (this.late !== undefined) this.end();
        },
        oversized: () => channel.destroy(),
        drained: () => events.drained(),
        ended: () => {
          clearTimeout(this.late);
          channel.destroy();
          events.ended();
          resolve();
        },
      });
    });
    // The channel has been paused since its first line.
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
   * Signals that no more lines of the client follow. The process answers the open requests, and then ends the
   * connection. A Windows pipe ends in both directions within 50 ms, so there the signal waits for the answers.
   */
  end(): void {
    if (this.platform !== 'win32' || this.requests.isIdle) void this.channel.end();
    else this.late ??= setTimeout(() => void this.channel.end(), ANSWERS_WITHIN_MS);
  }

  destroy(): void {
    this.channel.destroy();
  }
}
