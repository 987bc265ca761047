import { ErrorCode, errorLine, resultLine } from '@mcpmux/wire';
import {
  explain,
  stderrTailOf,
  stdoutLinesOf,
  summarize,
  type CallFailure,
  type RunOutput,
} from '../../server/link/run-failure.js';
import type { Upstream } from '../../server/upstream.js';
import { errorResultJson } from '../caller/tool-result.js';
import type { Exchange } from './exchange.js';

type UnansweredRequest = Pick<Exchange, 'id' | 'method'>;

/**
 * Returns mcpmux's answer to a request that the server did not answer.
 *
 * A failed tool call becomes a tool result, so that the model can react, unless the server is busy or its response was
 * unreadable: then the server is still running, and the call becomes a protocol error. Any other request becomes a
 * protocol error.
 */
export function failureAnswer(
  { id, method }: UnansweredRequest,
  server: string,
  failure: CallFailure,
): Buffer {
  const isServerRunning = failure.kind === 'busy' || failure.kind === 'unreadable-response';
  if (method === 'tools/call' && !isServerRunning)
    return resultLine(id, errorResultJson(explain(server, failure)));
  return errorLine(id, {
    code: ErrorCode.InternalError,
    message: summarize(server, failure),
    data: { server, reason: failure.kind, ...outputOf(failure) },
  });
}

/** Returns the answer to a request whose server has crashed, was removed or is still starting. */
export function unavailableAnswer(request: UnansweredRequest, { state, name }: Upstream): Buffer {
  if (state.kind === 'crashed') return failureAnswer(request, name, state.failure);
  const message =
    state.kind === 'removed'
      ? `Server "${name}" was removed. Call add_server to bring it back.`
      : `Server "${name}" is still starting. Try the call again in a moment; list_servers shows its state.`;
  if (request.method === 'tools/call') return resultLine(request.id, errorResultJson(message));
  const data = { server: name, reason: state.kind };
  return errorLine(request.id, { code: ErrorCode.InternalError, message, data });
}

function outputOf(failure: CallFailure): RunOutput {
  const stdoutLines = stdoutLinesOf(failure);
  return { stderrTail: stderrTailOf(failure), ...(stdoutLines.length > 0 && { stdoutLines }) };
}
