import type { Upstream } from '../../server/upstream.js';
import type { Exchange } from './exchange.js';
import { failureAnswer, unavailableAnswer } from './failure-answer.js';

/**
 * Answers a request whose server does not run. If the server can be started, that comes first, and the request is
 * handled once more when the server has started or has failed to.
 */
export async function whenAwake(
  exchange: Exchange,
  upstream: Upstream,
  handle: (exchange: Exchange) => void,
): Promise<void> {
  const started = exchange.hasWoken ? undefined : exchange.caller.layer.supervisorOf(upstream)?.wake();
  if (started === undefined) return exchange.respond(unavailableAnswer(exchange, upstream));
  exchange.hasWoken = true;
  exchange.onAbort(({ kind }) => {
    if (kind === 'deadline') exchange.respond(failureAnswer(exchange, upstream.name, { kind: 'shut-down' }));
  });
  // The state of the server tells how the start has ended.
  await started.catch(() => undefined);
  if (exchange.isOpen) handle(exchange);
}
