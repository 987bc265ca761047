/** Resolves after the queued microtasks, and all microtasks that they queue, have run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
