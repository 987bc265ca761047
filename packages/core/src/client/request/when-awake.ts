import { wantedEra } from '../../server/dialect/second-era.js';
import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from './exchange.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';

/**
 * Returns the connection that a request can be sent on now, or undefined if a connection must be started first or
 * cannot be.
 */
export function readyFor(exchange: Exchange, upstream: Upstream): Connection | undefined {
  const { caller, hasWoken } = exchange;
  const connection = upstream.connectionFor(caller);
  if (hasWoken || connection === undefined) return connection;
  // The server may be started again for this client, or the connection for the other era may be needed.
  if (!connection.calls.hasServed && upstream.undeclared.for(caller).length > 0) return undefined;
  const isOtherEra = connection.dialect.era !== wantedEra(caller);
  return isOtherEra && upstream.second.isNeededBy(caller) ? undefined : connection;
}

/**
 * Answers a request whose server is not running. If the server can be started, starts it first, and handles the request
 * again when the start has succeeded or failed.
 */
export async function whenAwake(
  exchange: Exchange,
  upstream: Upstream,
  handle: (exchange: Exchange) => void,
): Promise<void> {
  const { caller, hasWoken } = exchange;
  const started = hasWoken ? undefined : start(exchange, upstream);
  if (started === undefined) return exchange.respond(unavailableAnswer(exchange, upstream));
  exchange.hasWoken = true;
  exchange.onAbort(({ kind }) => {
    if (kind === 'deadline') exchange.respond(failureAnswer(exchange, upstream.name, { kind: 'shut-down' }));
  });
  // The server's state shows how the start has ended.
  await started.catch(() => undefined);
  // A server that was just started may need a second connection for this client.
  await upstream.second.openFor(caller);
  if (exchange.isOpen) handle(exchange);
}

function start({ caller }: Exchange, upstream: Upstream): Promise<unknown> | undefined {
  const supervisor = caller.layer.supervisorOf(upstream);
  if (upstream.connection === undefined) return supervisor?.wake();
  const reopened = supervisor?.reopenFor(caller);
  if (reopened !== undefined) return reopened;
  // The first run would not get the profile of a client behind another node: its requests come from the host.
  if (caller.originEra !== undefined) return upstream.second.openFor(caller);
  // If no client has used the server's process yet, it is reopened, so that no second process is needed.
  return supervisor?.reopenUnused(caller.era) ?? upstream.second.openFor(caller);
}
