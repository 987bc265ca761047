import { messageOf, paramsOf } from '@mcpmux/kit';
import { ErrorCode, errorLine, resultLine } from '@mcpmux/wire';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange } from '../request/exchange.js';
import { progressOf } from '../request/progress-of.js';
import type { MethodParts } from './handler.js';

/** Calls one of mcpmux's own tools. Never rejects. */
export async function callOwnTool(
  exchange: Exchange,
  name: string,
  { ownTools }: Pick<MethodParts, 'ownTools'>,
): Promise<void> {
  const { id, caller, line } = exchange;
  // Any own tool makes its caller the primary client. Servers that start from now on get its capabilities.
  caller.setPrimary();
  const context = { signal: signalOf(exchange), progress: progressOf(exchange), client: caller.forTools };
  exchange.release();
  try {
    const result = await ownTools.call(name, paramsOf(line)['arguments'], context);
    // Hosts read their tools right after the answer, so the current tools must be in the list.
    if (ownTools.changesLists(name)) await caller.listsUpToDate();
    exchange.respond(resultLine(id, result));
  } catch (error) {
    // This is a defect in mcpmux. The client still gets an answer, because no request may hang.
    const message = `${name} failed inside mcpmux: ${messageOf(error)}`;
    exchange.respond(errorLine(id, { code: ErrorCode.InternalError, message }));
  }
}

function signalOf(exchange: Exchange): AbortSignal {
  const controller = new AbortController();
  exchange.onAbort(({ kind }) => {
    controller.abort();
    if (kind !== 'deadline') return;
    const text = 'mcpmux is shutting down; the call was cancelled.';
    exchange.respond(resultLine(exchange.id, errorResultJson(text)));
  });
  return controller.signal;
}
