import { type Message, type OutgoingLine, PendingTable, type RawId } from '@mcpmux/wire';
import type { GuardHandler } from '../../guards/guard.js';
import type { Connection } from '../../upstream/link/connection.js';
import type { Caller } from '../caller/caller.js';
import type { MethodParts } from '../methods/handler.js';
import { handleExchange } from '../methods/methods.js';
import { Exchange, type Abort, type ExchangeOwner } from '../request/exchange.js';
import { GuardedExchange, type GuardParts } from '../request/guarded-exchange.js';
import { tooManyInFlight } from './client-bound.js';

/** What {@link Exchanges} work with. */
export interface ExchangeParts extends MethodParts, GuardParts {}

const UNGUARDED: readonly GuardHandler[] = [];

/**
 * The open exchanges of one session, by id. Each is entered before anything is done for it, and whoever takes it out
 * answers it: so there is one answer, whatever races with what.
 */
export class Exchanges implements ExchangeOwner {
  private readonly table = new PendingTable<RawId, Exchange>();

  constructor(
    readonly caller: Caller,
    private readonly client: Pick<Caller, 'send'>,
    private readonly parts: ExchangeParts,
  ) {}

  has(id: RawId): boolean {
    return this.table.has(id);
  }

  /** Resolves as soon as every exchange is answered. */
  whenIdle(): Promise<void> {
    return this.table.whenIdle();
  }

  /** Opens an exchange for a request, and handles it. Returns false when its id is that of an open one. */
  open(id: RawId, line: Buffer, request: Extract<Message, { kind: 'request' }>): boolean {
    const { table } = this;
    if (table.has(id)) return false;
    const exchange = new Exchange(this, id, line, request);
    table.add(id, exchange);
    this.handle(exchange);
    return true;
  }

  answered(id: RawId, line: OutgoingLine, from: Connection | undefined): void {
    this.table.take(id);
    this.client.send(line, from);
  }

  /** Ends one exchange, if it is open. */
  abort(id: RawId, why: Abort): void {
    this.table.take(id)?.abort(why);
  }

  abortAll(why: Abort): void {
    for (const exchange of this.table.takeAll()) exchange.abort(why);
  }

  private handle(exchange: Exchange): void {
    const { table, parts } = this;
    const { maxPendingPerClient: limit } = parts.limits;
    const refusal =
      table.size > limit ? tooManyInFlight(exchange, { inFlight: table.size - 1, limit }) : undefined;
    if (refusal !== undefined) return exchange.respond(refusal);
    const guards = parts.guards.hasHandlers ? parts.guards.of(exchange.method) : UNGUARDED;
    if (guards.length === 0) return handleExchange(exchange, parts);
    void new GuardedExchange(exchange, parts).run(guards);
  }
}
