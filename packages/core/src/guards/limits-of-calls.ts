import { type Clock, systemClock, waitAtMost } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { perTargetSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** The time limit for a call. */
export interface TimeLimitOptions extends Target {
  /** Maximum time in milliseconds. Progress notifications do not extend it. */
  readonly ms: number;
  readonly clock?: Clock;
}

/** Returns a guard that answers a call with an error when its time limit expires, and cancels it at its server. */
export function timeLimit(options: TimeLimitOptions): Guard {
  const { ms, clock = systemClock } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = next();
    if (await waitAtMost(ms, answer, clock)) return answer;
    throw timeLimitRefusal(context, ms);
  });
}

/** The `guards.timeouts` setting in a config. */
export const timeLimitSetting = perTargetSetting<TimeLimitOptions>(
  'How long a call may take in all.',
  ({ milliseconds }) => ({ ms: milliseconds }),
  timeLimit,
);

function timeLimitRefusal({ server, tool }: GuardContext, ms: number): GuardRefusal {
  const what = tool === undefined ? 'The request' : `The call of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} took more than ${ms / 1000} s and was cancelled. The server may have done a part of it. ` +
      'Check its effects before you call again, and ask for less at a time.',
    { reason: 'time-limit', data: { afterMs: ms, ...(server !== undefined && { server }) } },
  );
}

/** The size limit for answers. */
export interface ResultLimitOptions extends Target {
  /** Maximum size of an entire response, in bytes. */
  readonly bytes: number;
}

/** Returns a guard that replaces an oversized answer with an error, because the answer would fill a model's context. */
export function resultLimit(options: ResultLimitOptions): Guard {
  const { bytes } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = await next();
    if (answer.bytes > bytes) throw sizeLimitRefusal(context, answer.bytes, bytes);
    return answer;
  });
}

/** The `guards.resultBytes` setting in a config. */
export const resultLimitSetting = perTargetSetting<ResultLimitOptions>(
  'How large a result may be.',
  ({ count }) => ({ bytes: count }),
  resultLimit,
);

function sizeLimitRefusal({ server, tool }: GuardContext, size: number, limit: number): GuardRefusal {
  const what = tool === undefined ? 'The answer' : `The result of ${JSON.stringify(tool)}`;
  const where = server === undefined ? '' : ` of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${what}${where} has ${size} bytes, above the limit of ${limit}, and was dropped. The call was carried out. ` +
      'Ask for less: a page, a filter, a smaller range.',
    { reason: 'result-limit', data: { bytes: size, limit, ...(server !== undefined && { server }) } },
  );
}
