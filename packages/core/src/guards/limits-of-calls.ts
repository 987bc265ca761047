import { type Clock, systemClock, waitAtMost } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { perTargetSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { guardOfCalls, type Target } from './targets.js';

/** The time limit for calls. */
export interface TimeLimitOptions extends Target {
  /** The maximum duration of a call, in milliseconds. Progress notifications do not extend it. */
  readonly ms: number;
  readonly clock?: Clock;
}

/**
 * Returns a guard that answers a call with an error when its time limit expires, and cancels the call on its server.
 */
export function timeLimit(options: TimeLimitOptions): Guard {
  const { ms, clock = systemClock } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = next();
    if (await waitAtMost(ms, answer, clock)) return answer;
    throw timeLimitRefusal(context, ms);
  });
}

/** The config's `guards.timeouts` setting. */
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

/** The size limit for responses. */
export interface ResultLimitOptions extends Target {
  /** The maximum size of a complete response, in bytes. */
  readonly bytes: number;
}

/**
 * Returns a guard that replaces an oversized response with an error, because the response would fill a model's context.
 */
export function resultLimit(options: ResultLimitOptions): Guard {
  const { bytes } = options;
  return guardOfCalls(options, async (context, next) => {
    const answer = await next();
    if (answer.bytes > bytes) throw sizeLimitRefusal(context, answer.bytes, bytes);
    return answer;
  });
}

/** The config's `guards.resultBytes` setting. */
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
