import { type Clock, systemClock, waitAtMost } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { perTarget } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** The time limit for a call. */
export interface TimeLimitOptions extends Target {
  /** Maximum time in milliseconds. Progress does not extend it. */
  readonly ms: number;
  readonly clock?: Clock;
}

/** Returns a guard that cancels calls that take too long. The server gets a cancellation. */
export function timeLimit(options: TimeLimitOptions): Guard {
  const { ms, clock = systemClock } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = next();
    if (await waitAtMost(ms, answer, clock)) return answer;
    throw refusal(context, ms);
  });
}

/** `guards.timeouts` of a config. */
export const timeLimitSetting = perTarget<TimeLimitOptions>(
  'How long a call may take in all.',
  ({ milliseconds }) => ({ ms: milliseconds }),
  timeLimit,
);

function refusal({ server, tool }: GuardContext, ms: number): GuardRefusal {
  const what = tool === undefined ? 'The request' : `The call of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} took more than ${ms / 1000} s and was cancelled. The server may have done a part of it. ` +
      'Check its effects before you call again, and ask for less at a time.',
    { reason: 'time-limit', data: { afterMs: ms, ...(server !== undefined && { server }) } },
  );
}
