import { splitTaskId } from '@mcpmux/namespace';

import type { Edit } from '@mcpmux/wire';
import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import { RELATED_TASK_PATH } from '../../upstream/link/related-task.js';
import type { Upstream } from '../../upstream/upstream.js';
import type { CallObserver } from './call-observer.js';
import type { Exchange } from './exchange.js';
import { failureAnswerOf } from './failure-answer.js';
import { ForwardedCall } from './forwarded-call.js';
import type { ResultReader } from './result-reader.js';
import { textParam } from './text-param.js';
import { whenAwake } from './when-awake.js';

/** How a request is forwarded. */
export interface Forwarding {
  /** Replacements in the request beside its id and progress token. */
  readonly edits?: readonly Edit[];
  /** Without one, a result is not looked at. */
  readonly readResult?: ResultReader | undefined;
  /** The name of the tool or prompt, or the URI, for the log. */
  readonly subject?: string;
}

/** What {@link forward} works with. */
export interface ForwardParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly calls?: CallObserver | undefined;
  /** Handles an exchange by its method. */
  readonly handle: (exchange: Exchange) => void;
}

/** Forwards a request to a server; the answer of the server is the answer of the exchange. */
export function forward(
  exchange: Exchange,
  upstream: Upstream,
  parts: ForwardParts,
  { edits = [], readResult, subject }: Forwarding = {},
): void {
  const { connection, name: server } = upstream;
  if (connection === undefined) return void whenAwake(exchange, upstream, parts.handle);
  const { id, line, idSpan, params, method } = exchange;
  const { clock, calls, logger } = parts;
  const call = new ForwardedCall(exchange, { upstream, connection, readResult, clock });
  const progressToken = params.get('_meta.progressToken');
  const replaced = params.has(RELATED_TASK_PATH) ? [...edits, ...relatedTaskEdit(exchange)] : edits;
  const sent = connection.call({ line, id: idSpan, progressToken, edits: replaced }, call);
  if (typeof sent !== 'number') return exchange.respond(failureAnswerOf(method)(id, server, sent));
  // Only an idle timeout looks at the time of the last use.
  if (upstream.config.idleTimeoutMs !== undefined) upstream.usedAt = clock.now();
  const isTool = method === 'tools/call';
  call.sentAs(sent, isTool ? calls?.began(server, subject ?? '') : undefined);
  exchange.release();
  if (!logger.enabled('debug')) return;
  const what = isTool ? { tool: subject } : { method, ...(subject !== undefined && { subject }) };
  logger.log('debug', 'call', { server, ...what, call: sent });
}

function relatedTaskEdit(exchange: Exchange): readonly Edit[] {
  const task = textParam(exchange, RELATED_TASK_PATH);
  const parts = task && splitTaskId(task.text);
  return task && parts ? [{ span: task.span, bytes: JSON.stringify(parts.local) }] : [];
}
