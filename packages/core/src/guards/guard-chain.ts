import type { GuardAnswer, GuardChange, GuardContext, GuardHandler } from './guard.js';

/** The work inside all guards. */
export interface GuardedWork<Context extends GuardContext> {
  /**
   * Returns the request with a guard's change, for the guards inside.
   *
   * @throws Error with a message that states why the change is not possible
   */
  readonly changed: (context: Context, change: GuardChange) => Context;
  readonly carryOut: (context: Context) => Promise<GuardAnswer>;
}

/**
 * Runs a request through guards, of which the first is outermost, and then carries out the request, at most once.
 * Rejects with the error of the outermost guard.
 */
export function runGuards<Context extends GuardContext>(
  guards: readonly GuardHandler[],
  context: Context,
  { changed, carryOut }: GuardedWork<Context>,
): Promise<GuardAnswer> {
  const enter = async (place: number, seen: Context): Promise<GuardAnswer> => {
    const guard = guards[place];
    if (guard === undefined) return carryOut(seen);
    let inner: Promise<GuardAnswer> | undefined;
    const pass = async (change?: GuardChange): Promise<GuardAnswer> =>
      enter(place + 1, change === undefined ? seen : changed(seen, change));
    const next = (change?: GuardChange): Promise<GuardAnswer> => {
      if (inner !== undefined) return inner;
      inner = pass(change);
      // A guard that has answered without awaiting `next` does not handle the rejection.
      inner.catch(() => undefined);
      return inner;
    };
    return guard(seen, next);
  };
  return enter(0, context);
}
