import type { GuardAnswer, GuardContext, GuardHandler } from './guard.js';

/**
 * Runs a request through guards, the first of them outermost, and carries it out in the midst of them: once at most,
 * whatever they do. Rejects with what the outermost one threw.
 */
export function runGuards(
  guards: readonly GuardHandler[],
  context: GuardContext,
  carryOut: () => Promise<GuardAnswer>,
): Promise<GuardAnswer> {
  const enter = async (place: number): Promise<GuardAnswer> => {
    const guard = guards[place];
    if (guard === undefined) return carryOut();
    let inner: Promise<GuardAnswer> | undefined;
    const next = (): Promise<GuardAnswer> => {
      if (inner !== undefined) return inner;
      inner = enter(place + 1);
      // A guard that has answered without waiting for it has no use for its failure.
      inner.catch(() => undefined);
      return inner;
    };
    return guard(context, next);
  };
  return enter(0);
}
