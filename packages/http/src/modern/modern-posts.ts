import type { IncomingMessage, ServerResponse } from 'node:http';

import { ANYBODY, type Mux, type Principal, type RequestCaller } from '@mcpmux/core';
import { ErrorCode, RenewedSet } from '@mcpmux/wire';

import type { Admitted } from '../entrance/admitted.js';
import { connectOptions, type Caller } from '../entrance/caller.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import type { FrontMetrics } from '../metrics/front-metrics.js';
import type { HttpLimits } from '../session/http-limits.js';
import { decodeHeaderText, type ModernMessage } from './modern-message.js';
import { ModernReply } from './modern-reply.js';

/** Serves one message from a caller without a session. */
export type HandleMessage = (
  line: Buffer,
  requestCaller: Caller & Pick<RequestCaller, 'signal' | 'ending' | 'parameter'>,
  reply: (line: Buffer, isAnswer: boolean) => void,
) => Promise<void>;

/**
 * Returns a function that passes messages to a mux.
 *
 * @param isolated true if a server that a client adds is visible only to that client; without a session, such servers
 * are rejected
 */
export function messageHandlerFor(mux: Pick<Mux, 'handle'>, isolated = false): HandleMessage {
  return (line, caller, reply) => {
    const { signal, ending, parameter } = caller;
    const requestCaller = { ...connectOptions(caller, isolated), signal, ending, parameter };
    return mux.handle(line, requestCaller, ({ buffer, byteOffset, byteLength }, isAnswer) =>
      reply(Buffer.from(buffer, byteOffset, byteLength), isAnswer),
    );
  };
}

/** A request that has no response yet. */
interface OpenPost {
  readonly principal: Principal;
  readonly method: string;
  readonly startedAt: number;
  readonly response: ServerResponse;
  /** Aborted when the request must be answered immediately. */
  readonly ending: AbortFlag;
}

/** The members of `AbortSignal` that a request uses. Creating a real signal costs as much as reading a request. */
class AbortFlag {
  aborted = false;
  private listener: (() => void) | undefined;

  addEventListener(_: 'abort', listener: () => void): void {
    this.listener = listener;
  }

  removeEventListener(): void {
    this.listener = undefined;
  }

  abort(): void {
    this.aborted = true;
    this.listener?.();
  }
}

/** Sent only because of a bug: the mux must answer every request unless the client has disconnected. */
const MISSING_ANSWER: Refusal = {
  status: 500,
  code: ErrorCode.InternalError,
  message: 'The request has ended without an answer. The log of mcpmux may say why.',
};

/** The method of a request that stays open for notifications until the client or the server ends it. */
const LISTEN_METHOD = 'subscriptions/listen';

/** The requests in flight in revisions without sessions. Each request has its own response. */
export class ModernPosts {
  private readonly openPosts = new RenewedSet<OpenPost>();
  private isEnding = false;
  private onRequestEnded: () => void = () => undefined;

  constructor(
    private readonly handle: HandleMessage,
    private readonly limits: HttpLimits,
    private readonly now: () => number,
    private readonly metrics: FrontMetrics,
  ) {}

  /** The number of requests in flight, and the number of bytes that their clients have not read. */
  get counts(): { readonly inFlight: number; readonly unreadBytes: number } {
    const unreadBytes = [...this.openPosts].reduce((sum, { response }) => sum + response.writableLength, 0);
    return { inFlight: this.openPosts.size, unreadBytes };
  }

  /** True if the principal may send another request. */
  hasCapacity(principal: Principal): boolean {
    const { maxRequestsPerPrincipal: most } = this.limits;
    if (principal === ANYBODY || this.openPosts.size < most) return true;
    return [...this.openPosts].filter((post) => post.principal.id === principal.id).length < most;
  }

  /** Serves a request. Resolves when the response is complete. A client cancels the request by closing the response. */
  async serveRequest(
    { method, line }: ModernMessage,
    { request, response, caller }: Admitted,
    acceptsEvents: boolean,
  ): Promise<void> {
    const { handle, limits, metrics, now } = this;
    // The client has already closed the response, which will not emit `close` again.
    if (response.destroyed) return;
    const { principal, workspace } = caller;
    const ending = new AbortFlag();
    if (this.isEnding) ending.abort();
    const post = { principal, method, startedAt: now(), response, ending };
    const reply = new ModernReply(response, { limits, method, acceptsEvents });
    const signal = new AbortFlag();
    response.once('close', () => {
      if (!reply.isAnswered) signal.abort();
    });
    const parameter = (name: string): string | undefined => headerParameter(request, name);
    const requestCaller = { principal, workspace, signal, ending, parameter };
    this.openPosts.add(post);
    try {
      await handle(line, requestCaller, (sent, isAnswer) => {
        if (isAnswer) metrics.recordAnswer(post, sent);
        reply.send(sent, isAnswer);
      });
      if (!reply.isAnswered) refuse(response, MISSING_ANSWER);
    } finally {
      this.openPosts.delete(post);
      this.onRequestEnded();
    }
  }

  /** Passes a notification to the mux. */
  passNotification({ line }: ModernMessage, caller: Caller): Promise<void> {
    return this.handle(line, caller, () => undefined);
  }

  /** Waits up to `drainMs` for the requests in flight except subscriptions, then makes the mux answer the rest. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(
      this.waitUntil(() => [...this.openPosts].every(({ method }) => method === LISTEN_METHOD)),
    );
    const closePromises = [...this.openPosts].map(({ response }) => whenClosed(response));
    this.isEnding = true;
    for (const { ending } of this.openPosts) ending.abort();
    await waitAtMost(Promise.all(closePromises));
  }

  private async waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.onRequestEnded = resolve));
  }
}

function whenClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
}

/** Returns the text of a tool parameter's header, or undefined if the header is missing or cannot be decoded. */
function headerParameter({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[`mcp-param-${name}`];
  return typeof value === 'string' ? decodeHeaderText(value) : undefined;
}
