import { explain, stderrTailOf, summarize, type CallFailure } from '../upstream/run-failure.js';
import { ErrorCode, errorLine, resultLine } from '../wire/json-rpc.js';
import type { IdText } from '../wire/request-id.js';
import { errorResultJson } from './tool-result.js';

/**
 * The answer to a tool call that its server will not answer.
 *
 * A run that has ended is something the model can act on, so it is told as the tool's result. A server that is alive
 * and merely busy or unreadable this once is a protocol error.
 */
export function failureAnswer(id: IdText, server: string, failure: CallFailure): Buffer {
  if (failure.kind !== 'busy' && failure.kind !== 'unreadable-response') {
    return resultLine(id, errorResultJson(explain(server, failure)));
  }
  return errorLine(id, {
    code: ErrorCode.InternalError,
    message: summarize(server, failure),
    data: { server, reason: failure.kind, stderrTail: stderrTailOf(failure) },
  });
}

/** The answer to a call of a tool whose server is registered and not running. */
export function unavailableText(server: string, kind: 'starting' | 'removed'): string {
  return kind === 'starting'
    ? `Server "${server}" is still starting. Try the call again in a moment; list_servers shows its state.`
    : `Server "${server}" was removed. Call add_server to bring it back.`;
}
