/**
 * Takes the result of a callback of the host that is to return nothing. One that is asynchronous may still fail later:
 * unheard, that would end the process of the host.
 */
export function afterCallback(result: unknown, failed: (error: unknown) => void = () => undefined): void {
  if (typeof result !== 'object' || result === null || !('then' in result)) return;
  Promise.resolve(result).catch(failed);
}
