/**
 * Does one piece of work at a time, and once more if it was requested in the meantime. Errors are ignored.
 *
 * @returns a function that requests the work
 */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let isWorking = false;
  let isWanted = false;
  const worked = async (): Promise<void> => {
    isWorking = true;
    while (isWanted) {
      isWanted = false;
      await work().catch(() => undefined);
    }
    isWorking = false;
  };
  return () => {
    isWanted = true;
    if (!isWorking) void worked();
  };
}
