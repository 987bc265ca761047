import { Semaphore } from '@mcpmux/kit';
import type { Guard, GuardContext } from './guard.js';
import { perTarget } from './guard-setting.js';
import { GuardRefusal } from './guard-refusal.js';
import { countKey, guardOfCalls, type CountKey, type Target } from './targets.js';

/** The limit for calls that run at the same time. */
export interface ConcurrencyOptions extends Target {
  readonly max: number;
  /** Maximum number of waiting calls; a further call is refused. 100 when absent. */
  readonly maxWaiting?: number | undefined;
  /** Each combination of these properties is counted separately. Each server when absent. */
  readonly by?: readonly CountKey[] | undefined;
}

const DEFAULT_WAITING = 100;

/**
 * Returns a guard that limits the calls that run at the same time. The other calls wait in the order of their arrival.
 */
export function concurrency(options: ConcurrencyOptions): Guard {
  const { max, maxWaiting = DEFAULT_WAITING, by = ['server'] } = options;
  const lines = new Map<string, Semaphore>();
  return guardOfCalls(options, async (context, next) => {
    const key = countKey(context, by);
    const line = lines.get(key) ?? new Semaphore(max, maxWaiting);
    lines.set(key, line);
    const place = line.enter(context.signal);
    if (place === undefined) throw refusal(context, max + maxWaiting);
    // The request ended while it waited, so nothing is called and nothing is answered.
    if (!(await place)) return next();
    try {
      return await next();
    } finally {
      line.leave();
      // A semaphore is kept only for the keys in use.
      if (line.isEmpty) lines.delete(key);
    }
  });
}

/** `guards.concurrency` of a config. */
export const concurrencySetting = perTarget<ConcurrencyOptions>(
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
