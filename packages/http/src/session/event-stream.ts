import type { ServerResponse } from 'node:http';

import { toOneLine } from './posted-body.js';

/** The limits of one stream. */
export interface EventStreamLimits {
  readonly maxUnreadBytes: number;
  readonly stallMs: number;
  readonly keepAliveMs: number;
}

/** How long a client must wait before reopening a stream that has ended, in milliseconds. */
const RECONNECT_AFTER_MS = 1000;
const EVENT_END = Buffer.from('\n');
const MESSAGE_BEGIN = Buffer.from('event: message\ndata: ');
const MESSAGE_END = Buffer.from('\n\n');
const KEEPALIVE_COMMENT = ': keepalive\n\n';
const CARRIAGE_RETURN = 0x0d;

/**
 * Server-sent events on one connection. A client that does not read is disconnected. In a session, the event store
 * keeps the messages until the client reconnects.
 */
export class EventStream {
  private readonly keepAliveTimer: NodeJS.Timeout;

  /**
   * Begins the stream.
   *
   * @param headers names and values, alternating
   * @param closed called when the connection has closed
   */
  constructor(
    private readonly response: ServerResponse,
    headers: string[],
    private readonly limits: EventStreamLimits,
    closed: () => void,
  ) {
    response.writeHead(200, headers);
    response.flushHeaders();
    // While queued data is unread, another write would not count as socket activity.
    response.setTimeout(limits.stallMs, () => response.destroy());
    this.keepAliveTimer = setInterval(() => this.sendKeepalive(), limits.keepAliveMs).unref();
    response.once('close', () => {
      clearInterval(this.keepAliveTimer);
      closed();
    });
  }

  /** Sends the id of the current position in the stream, for a client that reconnects before the first event. */
  sendPosition(id: string): void {
    this.write(Buffer.from(`id: ${id}\nretry: ${RECONNECT_AFTER_MS}\ndata: \n\n`));
  }

  /** Sends a line with its newline. */
  sendEvent(id: string, line: Buffer): void {
    // In an event, a carriage return would end the line.
    const eventData = line.includes(CARRIAGE_RETURN) ? withoutCarriageReturns(line) : line;
    this.write(Buffer.concat([Buffer.from(`event: message\nid: ${id}\ndata: `), eventData, EVENT_END]));
  }

  /** Sends a line without its newline, on a stream that cannot be resumed. */
  sendMessage(line: Buffer): void {
    const eventData = line.includes(CARRIAGE_RETURN) ? toOneLine(Buffer.from(line)) : line;
    this.write(Buffer.concat([MESSAGE_BEGIN, eventData, MESSAGE_END]));
  }

  end(): void {
    clearInterval(this.keepAliveTimer);
    this.response.end();
  }

  private sendKeepalive(): void {
    if (this.response.writableLength === 0) this.write(KEEPALIVE_COMMENT);
  }

  private write(bytes: Buffer | string): void {
    const { response, limits } = this;
    if (response.destroyed || response.writableEnded) return;
    response.write(bytes);
    if (response.writableLength > limits.maxUnreadBytes) response.destroy();
  }
}

function withoutCarriageReturns(line: Buffer): Buffer {
  return Buffer.concat([toOneLine(Buffer.from(line.subarray(0, -1))), EVENT_END]);
}
