import { nextTurn } from './next-turn.js';

/** Resolves to true if a promise settles before the queued microtasks have run, otherwise to false. */
export function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return Promise.race([settled, nextTurn().then(() => false)]);
}
