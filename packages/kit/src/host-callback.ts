/**
 * Handles the result of a host callback that should return nothing. An asynchronous callback may fail later, and an
 * unhandled rejection would end the host's process.
 */
export function afterCallback(result: unknown, failed: (error: unknown) => void = () => undefined): void {
  if (typeof result !== 'object' || result === null || !('then' in result)) return;
  Promise.resolve(result).catch(failed);
}
