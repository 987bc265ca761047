import { messageOf } from '../../base/errors.js';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';

/** How far a start had come when it failed. */
export interface FailedStart {
  readonly phase: string;
  /** What it was given, in milliseconds. */
  readonly startTimeoutMs: number;
  readonly stderrTail: readonly string[];
  readonly redact: (text: string) => string;
}

/** What an error that was thrown during a start says of the run. */
export function startFailure(
  error: unknown,
  { phase, startTimeoutMs, stderrTail, redact }: FailedStart,
): RunFailure {
  if (!(error instanceof OwnRequestError)) return { kind: 'not-launched', problem: redact(messageOf(error)) };
  if (error.failure?.kind === 'undelivered') {
    const { problem, advice } = error.failure;
    return { kind: 'unreachable', problem, advice };
  }
  if (error.timedOut) return { kind: 'start-timeout', phase, afterMs: startTimeoutMs, stderrTail };
  return { kind: 'bad-answer', phase, problem: redact(error.message), stderrTail };
}
