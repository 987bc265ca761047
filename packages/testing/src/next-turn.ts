/** Resolves after all queued microtasks have run, including any that they queue. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
