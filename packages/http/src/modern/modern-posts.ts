import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { ANYBODY, type Mux, type Principal, type RequestCaller } from '@mcpmux/core';
import { ErrorCode, RenewedSet } from '@mcpmux/wire';

import type { Admitted } from '../entrance/admitted.js';
import { connectOptions, type Caller } from '../entrance/caller.js';
import { refuse, type Refusal } from '../entrance/refusal.js';
import type { FrontMetrics } from '../metrics/front-metrics.js';
import type { HttpLimits } from '../session/http-limits.js';
import { headerText } from './header-text.js';
import type { ModernMessage } from './modern-message.js';
import { ModernReply } from './modern-reply.js';

/** Serves one message of a caller without a session. */
export type HandleMessage = (
  line: Buffer,
  from: Caller & Pick<RequestCaller, 'signal' | 'ending' | 'parameter'>,
  reply: (line: Buffer, isAnswer: boolean) => void,
) => Promise<void>;

/**
 * Hands messages to a mux.
 *
 * @param isolated a server that a client adds would be visible to that client alone, and so is refused
 */
export function handlerOf(mux: Pick<Mux, 'handle'>, isolated = false): HandleMessage {
  return (line, { signal, ending, parameter, ...caller }, reply) => {
    const from = { ...connectOptions(caller, isolated), signal, ending, parameter };
    return mux.handle(line, from, ({ buffer, byteOffset, byteLength }, isAnswer) =>
      reply(Buffer.from(buffer, byteOffset, byteLength), isAnswer),
    );
  };
}

/** The dependencies of {@link ModernPosts}. */
export interface ModernPostsParts {
  readonly handle: HandleMessage;
  readonly limits: HttpLimits;
  readonly now: () => number;
  readonly metrics: FrontMetrics;
}

/** A request that is not answered yet. */
interface OpenPost {
  readonly principal: Principal;
  readonly method: string;
  readonly startedAt: number;
  readonly response: ServerResponse;
}

/** The mux owes an answer to everything but a request whose client has gone. */
const UNANSWERED: Refusal = {
  status: 500,
  code: ErrorCode.InternalError,
  message: 'The request has ended without an answer. The log of mcpmux may say why.',
};

/** Stays open for notifications until one of the two ends it. */
const LISTEN = 'subscriptions/listen';

/** The requests in flight of revisions without sessions. Each has a response of its own, and none knows of another. */
export class ModernPosts {
  private readonly open = new RenewedSet<OpenPost>();
  private readonly ending = new AbortController();
  private onAnswered: () => void = () => undefined;

  constructor(private readonly parts: ModernPostsParts) {
    // One for each request in flight, whose number has a bound of its own.
    setMaxListeners(0, this.ending.signal);
  }

  /** The requests in flight, and the bytes that their clients have not read. */
  get counts(): { readonly inFlight: number; readonly unreadBytes: number } {
    const unreadBytes = [...this.open].reduce((sum, { response }) => sum + response.writableLength, 0);
    return { inFlight: this.open.size, unreadBytes };
  }

  /** True when one more request of a principal may be served. */
  hasPlace(principal: Principal): boolean {
    const { maxRequestsPerPrincipal: most } = this.parts.limits;
    if (principal === ANYBODY || this.open.size < most) return true;
    return [...this.open].filter((post) => post.principal.id === principal.id).length < most;
  }

  /** Serves a request. Resolves when nothing more is sent for it. A client that closes the response cancels the request. */
  async request(
    { method, line }: ModernMessage,
    { request, response, caller }: Admitted,
    takesEvents: boolean,
  ): Promise<void> {
    const { handle, limits, metrics, now } = this.parts;
    // Its close event has passed and does not fire again.
    if (response.destroyed) return;
    const post = { principal: caller.principal, method, startedAt: now(), response };
    const reply = new ModernReply(response, { limits, method, takesEvents });
    const gone = new AbortController();
    response.once('close', () => {
      // An abort makes an error, which costs as much as reading the request.
      if (!reply.isAnswered) gone.abort();
    });
    const from = {
      ...caller,
      signal: gone.signal,
      ending: this.ending.signal,
      parameter: (name: string) => parameterIn(request, name),
    };
    this.open.add(post);
    try {
      await handle(line, from, (sent, isAnswer) => {
        if (isAnswer) metrics.answered(post, sent);
        reply.send(sent, isAnswer);
      });
      if (!reply.isAnswered) refuse(response, UNANSWERED);
    } finally {
      this.open.delete(post);
      this.onAnswered();
    }
  }

  /** Passes a notification on. */
  notification({ line }: ModernMessage, caller: Caller): Promise<void> {
    return this.parts.handle(line, caller, () => undefined);
  }

  /** Lets requests in flight finish, for at most `drainMs`, and answers the rest. */
  async drain(waitAtMost: (event: Promise<unknown>) => Promise<unknown>): Promise<void> {
    await waitAtMost(this.until(() => [...this.open].every(({ method }) => method === LISTEN)));
    const sent = [...this.open].map(({ response }) => closed(response));
    this.ending.abort();
    await waitAtMost(Promise.all(sent));
  }

  private async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.onAnswered = resolve));
  }
}

function closed(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
}

/** The text of a header that repeats a parameter of a tool; undefined for one that is missing or cannot be decoded. */
function parameterIn({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[`mcp-param-${name}`];
  return typeof value === 'string' ? headerText(value) : undefined;
}
