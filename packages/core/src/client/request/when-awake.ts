import type { Connection } from '../../server/link/connection.js';
import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from './exchange.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';

/** The connection that a request is sent on now; undefined where something has to be started first, or cannot be. */
export function readyFor(exchange: Exchange, upstream: Upstream): Connection | undefined {
  const { caller, hasWoken } = exchange;
  const connection = upstream.connectionFor(caller);
  // The run for the other era may be on its way, or be needed now.
  const isLacking = !hasWoken && connection?.dialect.era !== caller.era;
  return isLacking && upstream.second.isNeededBy(caller) ? undefined : connection;
}

/**
 * Answers a request whose server does not run. If the server can be started, that comes first, and the request is
 * handled once more when the server has started or has failed to.
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
  // The state of the server tells how the start has ended.
  await started.catch(() => undefined);
  // A server that has just been woken may need another run for this client.
  await upstream.second.openFor(caller);
  if (exchange.isOpen) handle(exchange);
}

function start({ caller }: Exchange, upstream: Upstream): Promise<unknown> | undefined {
  const supervisor = caller.layer.supervisorOf(upstream);
  if (upstream.connection === undefined) return supervisor?.wake();
  // Nobody has used its process yet: it need not have two.
  return supervisor?.reopenUnused(caller.era) ?? upstream.second.openFor(caller);
}
