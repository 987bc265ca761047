import { messageOf } from '../../base/errors.js';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';

/** How far a start had come. */
export interface Start {
  /** The request that the server had to answer next, or `launch`. */
  readonly phase: string;
  /** The time that it had. */
  readonly afterMs: number;
  readonly stderrTail: readonly string[];
  readonly redact: (text: string) => string;
}

/** What an error that was thrown during the start says of the run. */
export function startFailure(error: unknown, { phase, afterMs, stderrTail, redact }: Start): RunFailure {
  if (!(error instanceof OwnRequestError)) return { kind: 'not-launched', problem: redact(messageOf(error)) };
  const { failure, timedOut, message } = error;
  if (failure?.kind === 'undelivered') return { ...failure, kind: 'unreachable' };
  if (timedOut) return { kind: 'start-timeout', phase, afterMs, stderrTail };
  return { kind: 'bad-answer', phase, problem: redact(message), stderrTail };
}
