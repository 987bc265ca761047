import { ErrorCode, errorLine, type RawId, resultLine } from '@mcpmux/wire';
import { explain, stderrTailOf, summarize, type CallFailure } from '../../upstream/link/run-failure.js';
import type { Upstream } from '../../upstream/upstream.js';
import { errorResultJson } from '../caller/tool-result.js';

/** Answers a request that its server will not answer. */
export type FailureAnswer = (id: RawId, server: string, failure: CallFailure) => Buffer;

/**
 * {@link FailureAnswer} for a call of a tool.
 *
 * A run that has ended is something the model can act on, so it is told as the tool's result. A server that is alive
 * and merely busy or unreadable this once is a protocol error.
 */
export const toolFailureAnswer: FailureAnswer = (id, server, failure) =>
  failure.kind === 'busy' || failure.kind === 'unreadable-response'
    ? failureAnswer(id, server, failure)
    : resultLine(id, errorResultJson(explain(server, failure)));

/** {@link FailureAnswer} for everything else, which has no result that could tell of a failure. */
export const failureAnswer: FailureAnswer = (id, server, failure) =>
  errorLine(id, {
    code: ErrorCode.InternalError,
    message: summarize(server, failure),
    data: { server, reason: failure.kind, stderrTail: stderrTailOf(failure) },
  });

/** The {@link FailureAnswer} for requests of a method. */
export function failureAnswerOf(method: string): FailureAnswer {
  return method === 'tools/call' ? toolFailureAnswer : failureAnswer;
}

/** Makes the answer to a request of a method for a server that is registered and not running. */
export function unavailableAnswerOf(method: string): (id: RawId, upstream: Upstream) => Buffer {
  return method === 'tools/call' ? toolUnavailable : unavailable;
}

/** The answer to a call of a tool whose server is registered and not running. */
export function toolUnavailable(id: RawId, upstream: Upstream): Buffer {
  const { state, name } = upstream;
  const text = state.kind === 'crashed' ? explain(name, state.failure) : notRunning(upstream);
  return resultLine(id, errorResultJson(text));
}

/** The answer to any other request for a server that is registered and not running. */
export function unavailable(id: RawId, upstream: Upstream): Buffer {
  const { state, name } = upstream;
  if (state.kind === 'crashed') return failureAnswer(id, name, state.failure);
  return errorLine(id, {
    code: ErrorCode.InternalError,
    message: notRunning(upstream),
    data: { server: name, reason: state.kind },
  });
}

function notRunning({ name, state }: Upstream): string {
  return state.kind === 'removed'
    ? `Server "${name}" was removed. Call add_server to bring it back.`
    : `Server "${name}" is still starting. Try the call again in a moment; list_servers shows its state.`;
}
