import type { GuardAnswer, GuardChange, GuardContext, GuardHandler } from './guard.js';

/** What is in the midst of the guards. */
export interface GuardedWork<Context extends GuardContext> {
  /**
   * The request as the guards inside see it.
   *
   * @throws Error that says why the change cannot be made
   */
  readonly changed: (context: Context, change: GuardChange) => Context;
  readonly carryOut: (context: Context) => Promise<GuardAnswer>;
}

/**
 * Runs a request through guards, the first of them outermost, and carries it out in the midst of them: once at most,
 * whatever they do. Rejects with what the outermost one threw.
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
      // A guard that has answered without waiting for it has no use for its failure.
      inner.catch(() => undefined);
      return inner;
    };
    return guard(seen, next);
  };
  return enter(0, context);
}
