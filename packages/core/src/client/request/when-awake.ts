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
  const isFirst = connection === upstream.connection;
  if (isFirst && !connection.calls.hasServed && upstream.undeclared.for(caller).length > 0) return undefined;
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
  exchange.hasWoken = true;
  if (started === undefined)
    return !hasWoken && upstream.connectionFor(caller) !== undefined
      ? handle(exchange)
      : exchange.respond(unavailableAnswer(exchange, upstream));
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
  const { connection } = upstream;
  if (connection === undefined) return supervisor?.wake();
  const reopened = supervisor?.firstClient.withCapabilitiesOf(caller);
  if (reopened !== undefined) return reopened;
  if (!upstream.second.isNeededBy(caller)) return undefined;
  // If no client has used the server's process yet, it is reopened, so that no second process is needed.
  return supervisor?.firstClient.inEraOf(caller) ?? upstream.second.openFor(caller);
}
