import type { ServerResponse } from 'node:http';

import { DEFAULT_LIMITS } from '@mcpmux/core';
import { type Channel, type ChannelHandler, inOnePiece, type OutgoingLine, type RawId } from '@mcpmux/wire';

import type { HttpLimits } from '../session/http-limits.js';
import type { OpenRequest, OpenRequests } from '../session/open-requests.js';
import { toOneLine, type PostedMessage } from '../session/posted-body.js';

/** The dependencies of an {@link SseChannel}. */
export interface SseChannelParts {
  /** The session's only stream. */
  readonly response: ServerResponse;
  /** The path to which the client posts messages, relative to the stream's URL. */
  readonly endpointPath: string;
  readonly requests: OpenRequests<SseReply>;
  readonly limits: Pick<HttpLimits, 'maxUnreadBytes' | 'stallMs' | 'keepAliveMs'>;
  readonly onAnswer: (request: OpenRequest, line: Buffer) => void;
}

/** The reply to a request. All replies are sent on the session's single stream. */
export interface SseReply {
  readonly isConnected: true;
}

const SSE_REPLY: SseReply = { isConnected: true };
const EVENT_BEGIN = Buffer.from('event: message\ndata: ');
const EVENT_END = Buffer.from('\n\n');

/**
 * The stream of the 2024-11-05 transport, which carries all lines to a client in order. While the client does not read,
 * further lines are queued here, and the servers that send them are paused.
 */
export class SseChannel implements Channel {
  saturated = false;
  /** True while the mux does not accept messages. */
  isPaused = false;
  private handler: ChannelHandler | undefined;
  private queuedLines: Buffer[] = [];
  private queuedLineBytes = 0;
  private isStreamFull = false;
  private keepAliveTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SseChannelParts) {}

  get queuedBytes(): number {
    return this.queuedLineBytes + this.parts.response.writableLength;
  }

  /** Begins the stream, and sends the path to which the client must post messages. */
  open(handler: ChannelHandler): void {
    this.handler = handler;
    const { response, endpointPath, limits } = this.parts;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    response.once('close', () => {
      clearInterval(this.keepAliveTimer);
      handler.ended({ reason: 'closed' });
    });
    response.on('drain', () => this.sendQueued());
    response.setTimeout(limits.stallMs, () => response.destroy());
    this.keepAliveTimer = setInterval(() => this.sendKeepalive(), limits.keepAliveMs).unref();
    response.write(`event: endpoint\ndata: ${endpointPath}\n\n`);
  }

  /** Passes a client message to the mux. */
  receive(message: PostedMessage): void {
    const { requests } = this.parts;
    const passToMux = (): void => this.handler?.line(message.line);
    if (message.kind === 'request') return requests.begin(message, SSE_REPLY, passToMux);
    passToMux();
    if (message.kind === 'notification' && message.cancelledId !== undefined)
      requests.takeById(message.cancelledId);
  }

  send(outgoing: OutgoingLine, answers?: RawId): void {
    const line = inOnePiece(outgoing);
    const { requests, onAnswer } = this.parts;
    const request = answers === undefined ? undefined : requests.takeAnswered(answers);
    if (request !== undefined) onAnswer(request, line);
    if (!this.isStreamFull) return this.write(line);
    this.queuedLines.push(line);
    this.queuedLineBytes += line.length;
    if (this.queuedBytes > DEFAULT_LIMITS.clientHighWatermarkBytes) this.saturated = true;
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
  }

  /** Sends the queued lines. Resolves when they have been sent or can no longer be sent. */
  async end(): Promise<void> {
    const { response } = this.parts;
    clearInterval(this.keepAliveTimer);
    while (this.queuedLines.length > 0 && !response.destroyed)
      await whenAnyEmitted(response, ['drain', 'close']);
    if (response.destroyed) return;
    response.end();
    await whenAnyEmitted(response, ['finish', 'close']);
  }

  destroy(): void {
    this.queuedLines = [];
    this.queuedLineBytes = 0;
    clearInterval(this.keepAliveTimer);
    this.parts.response.end();
  }

  private sendQueued(): void {
    this.isStreamFull = false;
    while (!this.isStreamFull) {
      const line = this.queuedLines.shift();
      if (line === undefined) break;
      this.queuedLineBytes -= line.length;
      this.write(line);
    }
    if (!this.saturated || this.queuedBytes > 0) return;
    this.saturated = false;
    this.handler?.drained();
  }

  /** Writes a comment if no data is queued. While data is queued, another write would not count as activity. */
  private sendKeepalive(): void {
    if (this.parts.response.writableLength === 0) this.parts.response.write(': keepalive\n\n');
  }

  /** Writes a line. If too many bytes are unread, closes the connection, because a client cannot resume this stream. */
  private write(line: Buffer): void {
    const { response, limits } = this.parts;
    if (response.destroyed || response.writableEnded) return;
    // In an event, a carriage return would end the line.
    const eventData = toOneLine(Buffer.from(line.subarray(0, -1)));
    if (!response.write(Buffer.concat([EVENT_BEGIN, eventData, EVENT_END]))) this.isStreamFull = true;
    if (this.parts.response.writableLength > limits.maxUnreadBytes) response.destroy();
  }
}

function whenAnyEmitted(response: ServerResponse, events: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of events) response.off(event, done);
      resolve();
    };
    for (const event of events) response.on(event, done);
  });
}
