import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import type { SdkTransport } from '@mcpmux/core';

import type { HttpLimits } from '../session/http-limits.js';
import type { OpenRequest, OpenRequests } from '../session/open-requests.js';

/** The dependencies of an {@link SseTransport}. */
export interface SseTransportParts {
  /** The one stream of the session. */
  readonly response: ServerResponse;
  /** The path to which the client sends messages, relative to the URL of the stream. */
  readonly endpoint: string;
  readonly requests: OpenRequests;
  readonly limits: Pick<HttpLimits, 'maxUnreadBytes' | 'stallMs' | 'keepAliveMs'>;
  readonly onAnswer: (request: OpenRequest, answer: JSONRPCMessage) => void;
}

/** The stream of the transport of 2024-11-05. All messages to a client leave on this stream, in one order. */
export class SseTransport implements SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private keepAlive: NodeJS.Timeout | undefined;

  constructor(private readonly parts: SseTransportParts) {}

  /** Begins the stream, and sends the path for messages. */
  start(): Promise<void> {
    const { response, endpoint, limits } = this.parts;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    });
    response.once('close', () => {
      clearInterval(this.keepAlive);
      this.onclose?.();
    });
    response.setTimeout(limits.stallMs, () => response.destroy());
    this.keepAlive = setInterval(() => this.comment(), limits.keepAliveMs).unref();
    this.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    return Promise.resolve();
  }

  /** Resolves when there is room for the next message, so that the session waits for a slow client. */
  async send(message: never): Promise<void> {
    if (!this.pass(message)) await this.drained();
  }

  close(): Promise<void> {
    clearInterval(this.keepAlive);
    this.parts.response.end();
    return Promise.resolve();
  }

  /** A message that its client has sent. */
  receive(message: JSONRPCMessage): void {
    const { requests } = this.parts;
    requests.opened(message);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the interface of both SDKs has in common
    this.onmessage?.(message as never);
    if (!('method' in message) || 'id' in message || message.method !== 'notifications/cancelled') return;
    const id = message.params?.['requestId'];
    if (typeof id === 'string' || typeof id === 'number') requests.take(id);
  }

  private pass(message: JSONRPCMessage): boolean {
    const id = !('method' in message) && 'id' in message ? message.id : undefined;
    const request = id === undefined ? undefined : this.parts.requests.take(id);
    if (request !== undefined) this.parts.onAnswer(request, message);
    return this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** While unread data waits, further writes do not count as activity of the socket. */
  private comment(): void {
    if (this.parts.response.writableLength === 0) this.write(': keepalive\n\n');
  }

  /** False while there is no room for more. Above the limit the stream ends, because a client cannot resume it. */
  private write(text: string): boolean {
    const { response, limits } = this.parts;
    if (response.destroyed || response.writableEnded) return true;
    const hasRoom = response.write(text);
    if (response.writableLength > limits.maxUnreadBytes) response.destroy();
    return hasRoom;
  }

  /** Resolves when the client has read the queued data, or is gone. */
  private drained(): Promise<void> {
    const { response } = this.parts;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off('drain', done).off('close', done);
        resolve();
      };
      response.on('drain', done).on('close', done);
    });
  }
}
