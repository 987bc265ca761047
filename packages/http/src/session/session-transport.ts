import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

import type { SdkTransport } from '@mcpmux/core';

import { HeldMessages } from './held-messages.js';
import type { OpenRequest, OpenRequests } from './open-requests.js';

/** What servers tell while they work on a call, and what its caller is to see before the answer. */
const OF_CALLS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/** What a {@link SessionTransport} works with. */
export interface SessionTransportParts {
  readonly inner: WebStandardStreamableHTTPServerTransport;
  readonly requests: OpenRequests;
  readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number };
  /** A request was answered with that message. */
  readonly onAnswer: (request: OpenRequest, answer: JSONRPCMessage) => void;
}

/**
 * Between a session of the mux, which has one pipe to its client, and the SDK's transport, which has a connection for
 * each request: says on which of them a message of a server leaves.
 */
export class SessionTransport implements SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  private readonly held: HeldMessages;
  private isStandaloneOpen = false;

  constructor(private readonly parts: SessionTransportParts) {
    this.held = new HeldMessages(parts.limits);
  }

  async start(): Promise<void> {
    const { inner } = this.parts;
    inner.onmessage = (message) => this.receive(message);
    inner.onclose = () => this.onclose?.();
    await inner.start();
  }

  async send(message: never): Promise<void> {
    await this.route(message);
  }

  close(): Promise<void> {
    return this.parts.inner.close();
  }

  /** The client reads the stream that belongs to no request: what was held for it leaves now. */
  async standaloneOpened(): Promise<void> {
    this.isStandaloneOpen = true;
    for (const message of this.held.takeAll()) await this.pass(message, undefined);
  }

  standaloneClosed(): void {
    this.isStandaloneOpen = false;
  }

  private receive(message: JSONRPCMessage): void {
    const { requests } = this.parts;
    requests.opened(message);
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the interface of both SDKs has in common
      this.onmessage?.(message as never);
    } catch (error) {
      // The SDK answers that it failed; nobody else will.
      if ('id' in message && message.id !== undefined) requests.take(message.id);
      throw error;
    }
    if ('method' in message && !('id' in message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.cancelled(id);
    }
  }

  /** Nobody will answer it, so its connection ends here. The SDK forgets a request only when it is answered. */
  private cancelled(id: RequestId): void {
    const { inner, requests } = this.parts;
    if (requests.take(id) === undefined) return;
    inner.closeSSEStream(id);
    void this.pass({ jsonrpc: '2.0', id, error: { code: -32_800, message: 'cancelled' } }, undefined);
  }

  private route(message: JSONRPCMessage): Promise<void> {
    const { requests } = this.parts;
    if (!('method' in message)) return this.answer(message);
    const related = progressOf(message, requests) ?? requests.newestConnected();
    const isOfCall = 'id' in message || OF_CALLS.has(message.method);
    if (related !== undefined && (isOfCall || !this.isStandaloneOpen)) return this.pass(message, related.id);
    if (this.isStandaloneOpen) return this.pass(message, undefined);
    this.held.hold(message);
    return Promise.resolve();
  }

  private async answer(message: JSONRPCMessage): Promise<void> {
    const { requests, onAnswer } = this.parts;
    const id = 'id' in message ? message.id : undefined;
    const request = id === undefined ? undefined : requests.take(id);
    if (request !== undefined) onAnswer(request, message);
    await this.pass(message, undefined);
  }

  private async pass(message: JSONRPCMessage, relatedRequestId: RequestId | undefined): Promise<void> {
    try {
      await this.parts.inner.send(message, relatedRequestId === undefined ? undefined : { relatedRequestId });
    } catch {
      // One connection of the client has gone. The session has not, and to it this is no failure.
    }
  }
}

function progressOf(message: JSONRPCMessage, requests: OpenRequests): OpenRequest | undefined {
  if (!('method' in message) || message.method !== 'notifications/progress') return undefined;
  const token = message.params?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? requests.ofToken(token) : undefined;
}
