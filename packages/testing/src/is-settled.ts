import { nextTurn } from './next-turn.js';

/** Whether a promise is resolved or rejected when all that is under way in this turn is done. */
export function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, nextTurn().then(() => false)]);
}
