import { Semaphore } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { perTargetSetting } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { countKey, guardOfCalls, type CountKey, type Target } from './targets.js';

/** Limits on concurrent calls. */
export interface ConcurrencyOptions extends Target {
  readonly max: number;
  /** Maximum number of waiting calls; 100 when absent. Further calls are refused. */
  readonly maxWaiting?: number | undefined;
  /** Calls with equal values of these properties share a limit. When absent, all calls to a server share a limit. */
  readonly by?: readonly CountKey[] | undefined;
}

const DEFAULT_MAX_WAITING = 100;

/** Returns a guard that limits the number of concurrent calls. Calls above the limit wait in order of arrival. */
export function concurrency(options: ConcurrencyOptions): Guard {
  const { max, maxWaiting = DEFAULT_MAX_WAITING, by = ['server'] } = options;
  const semaphores = new Map<string, Semaphore>();
  return guardOfCalls(options, async (context, next) => {
    const key = countKey(context, by);
    const semaphore = semaphores.get(key) ?? new Semaphore(max, maxWaiting);
    semaphores.set(key, semaphore);
    const admission = semaphore.enter(context.signal);
    if (admission === undefined) throw refusal(context, max + maxWaiting);
    // The request ended while it was waiting, so `next` does not call the server.
    if (!(await admission)) return next();
    try {
      return await next();
    } finally {
      semaphore.leave();
      // Otherwise, unused semaphores would accumulate in the map.
      if (semaphore.isEmpty) semaphores.delete(key);
    }
  });
}

/** The `guards.concurrency` setting in a config. */
export const concurrencySetting = perTargetSetting<ConcurrencyOptions>(
  'How many calls run at the same time; the others wait.',
  ({ z, count, countFrom0, countedBy, optional }) => ({
    max: count.check(z.describe('Calls that run at the same time.')),
    maxWaiting: optional(countFrom0, 'Calls that may wait; 100 when absent.'),
    by: z.optional(countedBy),
  }),
  concurrency,
);

function refusal({ server }: GuardContext, calls: number): GuardRefusal {
  const where = server === undefined ? 'here' : `of server ${JSON.stringify(server)}`;
  return new GuardRefusal(
    `${calls} calls ${where} are running or waiting. Nothing was called. Try again when some of them are answered.`,
    { reason: 'busy', data: { ...(server !== undefined && { server }) } },
  );
}
