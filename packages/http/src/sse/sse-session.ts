import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { ClientSession } from '@mcpmux/core';

import type { Caller } from '../entrance/caller.js';
import type { EndpointParts } from '../endpoint/endpoint-parts.js';
import { type FrontSession, SessionOwner } from '../session/http-sessions.js';
import { OpenRequests } from '../session/open-requests.js';
import { isInitialize, type PostedMessage } from '../session/posted-body.js';
import { SseChannel, type SseReply } from './sse-channel.js';

/** A session over the 2024-11-05 transport: a mux session and the single stream that its client reads. */
export class SseSession implements FrontSession {
  readonly id: string;
  readonly owner: SessionOwner;
  readonly requests: OpenRequests<SseReply>;
  readonly closed: Promise<void>;
  private readonly channel: SseChannel;
  private readonly muxSession: ClientSession;
  private readonly openedAt: number;
  private isInitialized = false;

  /** @param endpointPath the path to which the client posts messages */
  constructor(
    private readonly parts: EndpointParts,
    private readonly response: ServerResponse,
    caller: Caller,
    endpointPath: string,
  ) {
    const { openMuxSession, limits, now, metrics, peers } = parts;
    this.id = peers?.newSessionId() ?? randomBytes(16).toString('hex');
    this.owner = new SessionOwner(caller);
    this.openedAt = now();
    this.requests = new OpenRequests(now);
    this.channel = new SseChannel({
      response,
      endpointPath: `${endpointPath}?sessionId=${this.id}`,
      requests: this.requests,
      limits,
      onAnswer: (request, line) => metrics.recordAnswer(request, line),
    });
    this.muxSession = openMuxSession(this.channel, caller);
    this.closed = this.muxSession.closed;
  }

  /** The milliseconds since the stream was opened, until the client has sent `initialize`. 0 afterwards. */
  get idleMs(): number {
    return this.isInitialized ? 0 : this.parts.now() - this.openedAt;
  }

  get unreadBytes(): number {
    return this.response.writableLength;
  }

  /** True if messages are rejected, because the client has left too much unread or the session is ending. */
  get isPaused(): boolean {
    return this.channel.isPaused;
  }

  receive(message: PostedMessage): void {
    this.isInitialized ||= isInitialize(message);
    this.channel.receive(message);
  }

  close(): Promise<void> {
    return this.muxSession.close();
  }
}
