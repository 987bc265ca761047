import type { IncomingMessage, ServerResponse } from 'node:http';

import { ANYBODY, type Mux, type Principal, type RequestCaller } from '@mcpmux/core';
import { ErrorCode, RenewedSet } from '@mcpmux/wire';

import type { Admitted } from '../entrance/admitted.js';
import { connectOptions, type Caller } from '../entrance/caller.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import type { FrontMetrics } from '../metrics/front-metrics.js';
import type { HttpLimits } from '../session/http-limits.js';
import { headerText, type ModernMessage } from './modern-message.js';
import { ModernReply } from './modern-reply.js';

/** Serves one message from a caller that has no session. */
export type HandleMessage = (
  line: Buffer,
  from: Caller & Pick<RequestCaller, 'signal' | 'ending' | 'parameter'>,
  reply: (line: Buffer, isAnswer: boolean) => void,
) => Promise<void>;

/**
 * Returns a function that passes messages to a mux.
 *
 * @param isolated true if a server that a client adds would be visible only to that client, and is therefore refused
 */
export function handlerOf(mux: Pick<Mux, 'handle'>, isolated = false): HandleMessage {
  return (line, caller, reply) => {
    const { signal, ending, parameter } = caller;
    const from = { ...connectOptions(caller, isolated), signal, ending, parameter };
    return mux.handle(line, from, ({ buffer, byteOffset, byteLength }, isAnswer) =>
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
  /** Aborted when the client must be answered at once. */
  readonly ending: AbortFlag;
}

/**
 * The subset of `AbortSignal` that the mux uses, for one request and one listener. A real signal costs as much as
 * reading the request.
 */
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

/** Indicates a bug, because the mux must answer every request unless the client has disconnected. */
const NO_ANSWER: Refusal = {
  status: 500,
  code: ErrorCode.InternalError,
  message: 'The request has ended without an answer. The log of mcpmux may say why.',
};

/** The method of a request that stays open for notifications until the client or the server ends it. */
const LISTEN = 'subscriptions/listen';

/** The requests in flight in revisions without sessions. Each request has a separate response. */
export class ModernPosts {
  private readonly open = new RenewedSet<OpenPost>();
  private isEnding = false;
  private onAnswered: () => void = () => undefined;

  constructor(
    private readonly handle: HandleMessage,
    private readonly limits: HttpLimits,
    private readonly now: () => number,
    private readonly metrics: FrontMetrics,
  ) {}

  /** The number of requests in flight, and the bytes that their clients have not read. */
  get counts(): { readonly inFlight: number; readonly unreadBytes: number } {
    const unreadBytes = [...this.open].reduce((sum, { response }) => sum + response.writableLength, 0);
    return { inFlight: this.open.size, unreadBytes };
  }

  /** True if the principal may send another request. */
  hasCapacity(principal: Principal): boolean {
    const { maxRequestsPerPrincipal: most } = this.limits;
    if (principal === ANYBODY || this.open.size < most) return true;
    return [...this.open].filter((post) => post.principal.id === principal.id).length < most;
  }

  /**
   * Serves a request. Resolves when the response is complete. A client that closes the response cancels the request.
   */
  async request(
    { method, line }: ModernMessage,
    { request, response, caller }: Admitted,
    takesEvents: boolean,
  ): Promise<void> {
    const { handle, limits, metrics, now } = this;
    // The response has already emitted `close`.
    if (response.destroyed) return;
    const { principal, workspace } = caller;
    const ending = new AbortFlag();
    if (this.isEnding) ending.abort();
    const post = { principal, method, startedAt: now(), response, ending };
    const reply = new ModernReply(response, { limits, method, takesEvents });
    const signal = new AbortFlag();
    response.once('close', () => {
      if (!reply.isAnswered) signal.abort();
    });
    const parameter = (name: string): string | undefined => parameterIn(request, name);
    const from = { principal, workspace, signal, ending, parameter };
    this.open.add(post);
    try {
      await handle(line, from, (sent, isAnswer) => {
        if (isAnswer) metrics.recordAnswer(post, sent);
        reply.send(sent, isAnswer);
      });
      if (!reply.isAnswered) refuse(response, NO_ANSWER);
    } finally {
      this.open.delete(post);
      this.onAnswered();
    }
  }

  /** Passes a notification to the mux. */
  notification({ line }: ModernMessage, caller: Caller): Promise<void> {
    return this.handle(line, caller, () => undefined);
  }

  /**
   * Waits up to `drainMs` for the requests in flight except subscriptions, then makes the mux answer the rest at once.
   */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(this.waitUntil(() => [...this.open].every(({ method }) => method === LISTEN)));
    const closings = [...this.open].map(({ response }) => whenClosed(response));
    this.isEnding = true;
    for (const { ending } of this.open) ending.abort();
    await waitAtMost(Promise.all(closings));
  }

  private async waitUntil(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.onAnswered = resolve));
  }
}

function whenClosed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
}

/** Returns the text of a header that repeats a tool parameter, or undefined if it is missing or cannot be decoded. */
function parameterIn({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[`mcp-param-${name}`];
  return typeof value === 'string' ? headerText(value) : undefined;
}
