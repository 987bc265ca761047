import type { Socket } from 'node:net';

import { StreamChannel, type OutgoingLine, type StreamChannelLimits } from '@mcpmux/wire';

import { OpenRequests } from './open-requests.js';

/** The events of a {@link ProcessLink}, for its owner. */
export interface LinkEvents {
  /** @param isWhole false for a line that may be the beginning of one whose writer has ended */
  line(line: Buffer, isWhole: boolean): void;
  /** More lines of the client can be sent. */
  drained(): void;
  /** The connection is over. */
  ended(): void;
}

/** The connection to one shared process, and the requests that are open on it. */
export class ProcessLink {
  readonly requests = new OpenRequests();
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;
  private readonly channel: StreamChannel;

  /** @param events called after the constructor has returned */
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
    // Paused since its first line.
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

  /** Says that no more lines of the client follow. The process answers what is open, and ends the connection. */
  end(): void {
    void this.channel.end();
  }

  destroy(): void {
    this.channel.destroy();
  }
}
