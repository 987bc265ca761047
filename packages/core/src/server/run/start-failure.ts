import { escapeControls, messageOf, shownStart, type TextMask } from '@mcpmux/kit';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';

/** Characters of a problem that a server may have worded. */
const MAX_PROBLEM = 5000;

/** How far a start had come. */
export interface Start {
  /** The request that the server had to answer next, or `launch`. */
  readonly phase: string;
  /** The time that it had. */
  readonly afterMs: number;
  readonly stderrTail: readonly string[];
  readonly mask: TextMask;
}

/** Returns the failure of a run whose start threw an error. */
export function startFailure(error: unknown, { phase, afterMs, stderrTail, mask }: Start): RunFailure {
  const reported = (text: string): string => escapeControls(shownStart(mask, text, MAX_PROBLEM));
  if (!(error instanceof OwnRequestError))
    return { kind: 'not-launched', problem: reported(messageOf(error)) };
  const { failure, timedOut, message } = error;
  if (failure?.kind === 'undelivered') return { ...failure, kind: 'unreachable' };
  if (timedOut) return { kind: 'start-timeout', phase, afterMs, stderrTail };
  return { kind: 'bad-answer', phase, problem: reported(message), stderrTail };
}
