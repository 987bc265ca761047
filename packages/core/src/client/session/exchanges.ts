import { type Logger, messageOf } from '@mcpmux/kit';
import {
  ErrorCode,
  errorLine,
  idKey,
  type Message,
  type OutgoingLine,
  PendingTable,
  type RawId,
  type Span,
} from '@mcpmux/wire';
import type { Connection } from '../../server/link/connection.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import type { Caller } from '../caller/caller.js';
import type { MethodParts } from '../methods/handler.js';
import type { ClientDialect, RequestDialect } from '../methods/client-dialect.js';
import { LIST_HANDLERS } from '../methods/common-methods.js';
import { forwardOtherRequest } from '../methods/other-requests.js';
import type { ClientPipe } from './client-pipe.js';
import { DEADLINE, Exchange, type AbortReason, type ExchangeOwner } from '../request/exchange.js';
import { GuardedExchange } from '../request/guarded-exchange.js';
import type { GuardParts } from '../request/request-context.js';
import type { ExchangeTable } from '../request/incoming-request.js';
import type { ModernRequests } from '../modern/modern-requests.js';

/**
 * The number of calls to mcpmux's own tools that are allowed beyond the limit on requests in flight, so that a client
 * can still manage its servers when all its other calls hang.
 */
export const RESERVED_OWN_TOOL_CALLS = 64;

/** The dependencies of exchanges. */
export interface ExchangeParts extends MethodParts, GuardParts {
  readonly dialect: ClientDialect;
  readonly modern: ModernRequests;
  readonly handle: (exchange: Exchange) => void;
  readonly logger: Logger;
}

/**
 * The open exchanges of one session, by id. An exchange is added before its work starts, and the code that removes it
 * must answer or abort it. Even in a race, no request gets two answers.
 */
export class Exchanges implements ExchangeOwner, ExchangeTable {
  private readonly openExchanges = new PendingTable<string, Exchange>();
  private pausedUntil: Promise<unknown> | undefined;
  private onRequest: ((needsServers: boolean) => void) | undefined;

  constructor(
    readonly caller: Caller,
    private readonly client: Pick<ClientPipe, 'send'>,
    private readonly parts: ExchangeParts,
  ) {}

  get size(): number {
    return this.openExchanges.size;
  }

  has(id: RawId): boolean {
    return this.openExchanges.has(idKey(id));
  }

  /** Resolves when every exchange has been answered. */
  whenIdle(): Promise<void> {
    return this.openExchanges.whenIdle();
  }

  /** Opens an exchange for a request and dispatches it. Returns false if an open exchange has the same id. */
  open(id: RawId, line: Buffer, request: Extract<Message, { kind: 'request' }>): boolean {
    const { modern } = this.parts;
    if (this.openExchanges.has(idKey(id))) return false;
    if (modern.isModern(request)) modern.open(this, { id, line, request });
    else this.begin(new Exchange(this, id, line, request));
    return true;
  }

  begin(exchange: Exchange): void {
    const { openExchanges, parts } = this;
    const { limits } = parts;
    openExchanges.add(idKey(exchange.id), exchange);
    if (
      openExchanges.size > limits.maxPendingPerClient &&
      refuseIfBusy(exchange, openExchanges.size - 1, parts)
    )
      return;
    this.onRequest?.(!isProbe(exchange, parts));
    if (this.pausedUntil !== undefined && needsServers(exchange, parts))
      void this.handleLater(exchange, this.pausedUntil);
    else this.handle(exchange);
  }

  /**
   * Delays requests that need servers until `until` settles, because no server is available before then.
   *
   * @param onRequest called for each request in the meantime, with false if the request only asks for mcpmux's identity
   */
  pause(until: Promise<unknown>, onRequest?: (needsServers: boolean) => void): void {
    this.onRequest = onRequest;
    const release = (): void => {
      this.pausedUntil = undefined;
      this.onRequest = undefined;
    };
    this.pausedUntil = until.then(release, release);
  }

  private async handleLater(exchange: Exchange, until: Promise<unknown>): Promise<void> {
    await until;
    if (exchange.isOpen) this.handle(exchange);
  }

  private handle(exchange: Exchange): void {
    handleGuarded(exchange, this.parts);
  }

  resume(id: RawId, exchange: Exchange): void {
    this.openExchanges.add(idKey(id), exchange);
  }

  onAnswer(id: RawId, line: OutgoingLine, from: Connection | undefined): void {
    this.openExchanges.take(idKey(id));
    this.client.send(line, from, false, id);
  }

  /** Aborts the exchange with this id, if it is open. */
  abort(id: RawId, why: AbortReason): void {
    this.openExchanges.take(idKey(id))?.abort(why);
  }

  /** Cancels a request. Servers get the client's notification without the parts that describe the client. */
  cancel(id: RawId, line: Buffer, requestId: Span): void {
    const { dialect, modern } = this.parts;
    const exchange = this.openExchanges.take(idKey(id));
    if (exchange === undefined) return;
    const isSessionEra = exchange.caller.era === dialect.era;
    exchange.abort(isSessionEra ? { kind: 'cancelled', line, requestId } : modern.cancellationReason(line));
  }

  /** Answers long-lived requests, which would otherwise stay open until the session ends. */
  endLongLivedRequests(): void {
    const { longLivedMethods } = this.parts.modern;
    const longLivedExchanges = [...this.openExchanges.values()].filter(({ method }) =>
      longLivedMethods.has(method),
    );
    for (const { id } of longLivedExchanges) this.abort(id, DEADLINE);
  }

  abortAll(why: AbortReason): void {
    for (const exchange of this.openExchanges.takeAll()) exchange.abort(why);
  }
}

/** Runs a request through its guards, if any, and then dispatches it by its method. */
export function handleGuarded(exchange: Exchange, parts: ExchangeParts): void {
  const { guards } = parts;
  const guardHandlers = guards.hasHandlers ? guards.handlersFor(exchange.method) : undefined;
  if (guardHandlers === undefined || guardHandlers.length === 0) handleExchange(exchange, parts);
  else void new GuardedExchange(exchange, parts).run(guardHandlers);
}

/** Dispatches a request to its method's handler. Forwards a request with an unknown method to a suitable server. */
export function handleExchange(exchange: Exchange, parts: ExchangeParts): void {
  const { handlers } = dialectOf(exchange, parts);
  const handler = handlers.get(exchange.method) ?? forwardOtherRequest;
  const fail = (error: unknown): void => {
    exchange.respond(errorLine(exchange.id, { code: ErrorCode.InternalError, message: messageOf(error) }));
  };
  try {
    handler(exchange, parts)?.catch(fail);
  } catch (error) {
    fail(error);
  }
}

function needsServers(exchange: Exchange, parts: ExchangeParts): boolean {
  return !dialectOf(exchange, parts).immediateMethods.has(exchange.method);
}

/** True if a request only asks for mcpmux's identity. Some clients start a process just to send this request. */
function isProbe({ caller, method }: Exchange, { dialect, modern }: ExchangeParts): boolean {
  return caller.era !== dialect.era && modern.dialect.immediateMethods.has(method);
}

/** Returns the dialect of an exchange's client. */
function dialectOf({ caller }: Exchange, { dialect, modern }: ExchangeParts): RequestDialect {
  return caller.era === dialect.era ? dialect : modern.dialect;
}

/** Refuses a request beyond the limit on requests in flight. Returns false if the request may proceed. */
function refuseIfBusy(exchange: Exchange, inFlight: number, parts: ExchangeParts): boolean {
  const { maxPendingPerClient: limit } = parts.limits;
  const { method } = exchange;
  if (
    inFlight < limit ||
    LIST_HANDLERS.has(method) ||
    dialectOf(exchange, parts).immediateMethods.has(method)
  )
    return false;
  if (inFlight < limit + RESERVED_OWN_TOOL_CALLS && isManagementCall(exchange)) return false;
  const message = `mcpmux is busy: ${inFlight} requests of this client are in flight. Try again when some are answered.`;
  const error = { code: ErrorCode.InternalError, message, data: { reason: 'busy' } };
  exchange.respond(errorLine(exchange.id, error));
  return true;
}

/** True for a call to any of mcpmux's own tools except `call_tool`, which stays in flight while the inner tool runs. */
function isManagementCall(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.textAt('name')?.text;
  return name !== undefined && name !== CALL_TOOL && exchange.caller.view.directory.isOwnTool(name);
}
