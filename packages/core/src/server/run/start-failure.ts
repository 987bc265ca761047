import { escapeControls, messageOf, shownStart, type TextMask } from '@mcpmux/kit';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';

/** The maximum length of a problem, in characters. A server may have written the text. */
const MAX_PROBLEM = 5000;

/** The progress of a start. */
export interface Start {
  /** The request that the server had to answer next, or `launch`. */
  readonly phase: string;
  /** The timeout of the start, in milliseconds. */
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
