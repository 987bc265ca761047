import type { Socket } from 'node:net';

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

/** The connection to one shared process, and the requests that are open on the connection. */
export class ProcessLink {
  readonly requests = new OpenRequests();
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  private readonly channel: StreamChannel;

  /** @param events called only after the constructor has returned */
  constructor(socket: Socket, limits: StreamChannelLimits, events: LinkEvents) {
    const channel = new StreamChannel({ input: socket, output: socket }, limits);
    this.channel = channel;
    this.closed = new Promise((resolve) => {
      channel.open({
        line: (line) => events.line(line, !socket.readableEnded),
        oversized: () => channel.destroy(),
        drained: () => events.drained(),
        ended: () => {
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
   * connection.
   */
  end(): void {
    void this.channel.end();
  }

  destroy(): void {
    this.channel.destroy();
  }
}
