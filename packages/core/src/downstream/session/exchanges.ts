import {
  ErrorCode,
  errorLine,
  idKey,
  type Message,
  type OutgoingLine,
  PendingTable,
  type RawId,
} from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import type { Connection } from '../../upstream/link/connection.js';
import { CALL_TOOL } from '../caller/call-tool.js';
import type { Caller } from '../caller/caller.js';
import type { MethodParts } from '../methods/handler.js';
import type { ClientDialect } from '../methods/client-dialect.js';
import { COMMON_HANDLERS, LIST_HANDLERS } from '../methods/common-methods.js';
import { requestOther } from '../methods/other-requests.js';
import type { ClientPipe } from './client-pipe.js';
import { Exchange, type Abort, type ExchangeOwner } from '../request/exchange.js';
import { GuardedExchange, type GuardParts } from '../request/guarded-exchange.js';

/** A client whose calls all hang can still manage its servers: so many calls of mcpmux's own tools go beyond the bound. */
export const RESERVED_FOR_OWN_TOOLS = 64;

/** What {@link Exchanges} work with. */
export type ExchangeParts = HandlingParts & GuardParts;

/**
 * The open exchanges of one session, by id. Each is entered before anything is done for it, and whoever takes it out
 * answers it: so there is one answer, whatever races with what.
 */
export class Exchanges implements ExchangeOwner {
  private readonly table = new PendingTable<string, Exchange>();

  constructor(
    readonly caller: Caller,
    private readonly client: Pick<ClientPipe, 'send'>,
    private readonly parts: ExchangeParts,
  ) {}

  has(id: RawId): boolean {
    return this.table.has(idKey(id));
  }

  /** Resolves as soon as every exchange is answered. */
  whenIdle(): Promise<void> {
    return this.table.whenIdle();
  }

  /** Opens an exchange for a request, and handles it. Returns false when its id is that of an open one. */
  open(id: RawId, line: Buffer, request: Extract<Message, { kind: 'request' }>): boolean {
    const { table, parts } = this;
    const { guards, limits } = parts;
    const key = idKey(id);
    if (table.has(key)) return false;
    const exchange = new Exchange(this, id, line, request);
    table.add(key, exchange);
    if (table.size > limits.maxPendingPerClient && refusesOneMore(exchange, table.size - 1, parts))
      return true;
    const around = guards.hasHandlers ? guards.of(exchange.method) : undefined;
    if (around === undefined || around.length === 0) handleExchange(exchange, parts);
    else void new GuardedExchange(exchange, parts).run(around);
    return true;
  }

  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void {
    this.table.take(idKey(id));
    this.client.send(line, from, false, id);
  }

  /** Ends one exchange, if it is open. */
  abort(id: RawId, why: Abort): void {
    this.table.take(idKey(id))?.abort(why);
  }

  abortAll(why: Abort): void {
    for (const exchange of this.table.takeAll()) exchange.abort(why);
  }
}

/** What {@link handleExchange} works with. */
export interface HandlingParts extends MethodParts {
  readonly dialect: ClientDialect;
}

/** Handles a request by its method; one that mcpmux does not know goes to the one server that it can be for. */
export function handleExchange(exchange: Exchange, parts: HandlingParts): void {
  const { method } = exchange;
  const handler = COMMON_HANDLERS.get(method) ?? parts.dialect.handlers.get(method) ?? requestOther;
  const failed = (error: unknown): void => {
    const message = messageOf(error);
    exchange.respond(errorLine(exchange.id, { code: ErrorCode.InternalError, message }));
  };
  try {
    handler(exchange, parts)?.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Refuses a request above the limit of requests in flight. Returns false when the request can be handled. */
function refusesOneMore(exchange: Exchange, inFlight: number, { limits, dialect }: HandlingParts): boolean {
  const { maxPendingPerClient: limit } = limits;
  const { method } = exchange;
  if (inFlight < limit || LIST_HANDLERS.has(method) || dialect.instant.has(method)) return false;
  if (inFlight < limit + RESERVED_FOR_OWN_TOOLS && isManagement(exchange)) return false;
  const message = `mcpmux is busy: ${inFlight} requests of this client are in flight. Try again when some are answered.`;
  const error = { code: ErrorCode.InternalError, message, data: { reason: 'busy' } };
  exchange.respond(errorLine(exchange.id, error));
  return true;
}

/** `call_tool` is as long in flight as the tool that it calls. */
function isManagement(exchange: Exchange): boolean {
  if (exchange.method !== 'tools/call') return false;
  const name = exchange.text('name')?.text;
  return name !== undefined && name !== CALL_TOOL && exchange.caller.view.directory.isOwnTool(name);
}
