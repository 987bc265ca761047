import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

import type { SdkTransport } from '@mcpmux/core';

import { HeldMessages } from './held-messages.js';
import type { OpenRequest, OpenRequests } from './open-requests.js';

/** Notifications about a call in progress. The client receives them before the answer. */
const OF_CALLS: ReadonlySet<string> = new Set(['notifications/progress', 'notifications/message']);

/** The dependencies of a {@link SessionTransport}. */
export interface SessionTransportParts {
  readonly inner: WebStandardStreamableHTTPServerTransport;
  readonly requests: OpenRequests;
  readonly limits: { readonly maxEvents: number; readonly maxEventBytes: number };
  /** Called when a request was answered with this message. */
  readonly onAnswer: (request: OpenRequest, answer: JSONRPCMessage) => void;
}

/**
 * Connects a session of the mux, which has one channel to its client, to the SDK's transport, which has a connection
 * for each request. Decides on which connection a message leaves.
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

  /** The client has opened the stream that belongs to no request. Queued messages leave now. */
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
      // The SDK answers with an error, and no other answer will come.
      if ('id' in message && message.id !== undefined) requests.take(message.id);
      throw error;
    }
    if ('method' in message && !('id' in message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.cancelled(id);
    }
  }

  /** A cancelled request gets no answer, so its connection ends here. The SDK forgets a request only when it is answered. */
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
      // One connection of the client is gone. The session goes on.
    }
  }
}

function progressOf(message: JSONRPCMessage, requests: OpenRequests): OpenRequest | undefined {
  if (!('method' in message) || message.method !== 'notifications/progress') return undefined;
  const token = message.params?.['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? requests.ofToken(token) : undefined;
}
