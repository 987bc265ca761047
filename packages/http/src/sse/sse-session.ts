import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

import type { ClientSession } from '@mcpmux/core';

import { isInitialize } from '../session/body-kind.js';
import { callerKey, type Caller } from '../entrance/caller.js';
import type { EndpointParts } from '../endpoint/endpoint-parts.js';
import type { FrontSession } from '../session/front-session.js';
import { principalKey } from '../auth/credentials.js';
import { OpenRequests } from '../session/open-requests.js';
import { SseTransport } from './sse-transport.js';

/** A session over the transport of 2024-11-05: a session of the mux, and the one stream that its client reads. */
export class SseSession implements FrontSession {
  readonly id = randomBytes(16).toString('hex');
  readonly requests: OpenRequests;
  readonly principal: string;
  readonly caller: string;
  readonly closed: Promise<void>;
  private readonly transport: SseTransport;
  private readonly muxSession: ClientSession;
  private readonly openedAt: number;
  private isInitialized = false;

  /** @param endpoint the path to which its client sends messages */
  constructor(
    private readonly parts: EndpointParts,
    private readonly response: ServerResponse,
    caller: Caller,
    endpoint: string,
  ) {
    const { connect, limits, now, metrics } = parts;
    this.principal = principalKey(caller.principal);
    this.caller = callerKey(caller);
    this.openedAt = now();
    this.requests = new OpenRequests(now);
    this.transport = new SseTransport({
      response,
      endpoint: `${endpoint}?sessionId=${this.id}`,
      requests: this.requests,
      limits,
      onAnswer: (request, answer) => metrics.answered(request, answer),
    });
    this.muxSession = connect(this.transport, caller);
    this.closed = this.muxSession.closed;
  }

  /** 0 once the client has sent `initialize`. Before that, the time since the stream was opened. */
  get idleMs(): number {
    return this.isInitialized ? 0 : this.parts.now() - this.openedAt;
  }

  get unreadBytes(): number {
    return this.response.writableLength;
  }

  receive(message: JSONRPCMessage): void {
    this.isInitialized ||= isInitialize(message);
    this.transport.receive(message);
  }

  async close(): Promise<void> {
    await this.muxSession.close();
    await this.transport.close();
  }
}
