import { type Clock, systemClock, waitAtMost } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** How long a call may take in all. */
export interface TimeLimitOptions extends Target {
  /** In milliseconds, progress or not. */
  readonly ms: number;
  readonly clock?: Clock;
}

/** A guard that gives calls up that take too long. The server is told that nobody waits any more. */
export function timeLimit(options: TimeLimitOptions): Guard {
  const { ms, clock = systemClock } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = next();
    if (await waitAtMost(ms, answer, clock)) return answer;
    throw refusal(context, ms);
  });
}

function refusal({ server, tool }: GuardContext, ms: number): GuardRefusal {
  const what = tool === undefined ? 'The request' : `The call of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} took more than ${ms / 1000} s and was cancelled. The server may have done a part of it. ` +
      'Check its effects before you call again, and ask for less at a time.',
    { reason: 'time-limit', data: { afterMs: ms, ...(server !== undefined && { server }) } },
  );
}
