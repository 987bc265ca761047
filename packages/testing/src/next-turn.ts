/** Resolves when the microtasks that are queued now, and all that follow from them, have run. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
