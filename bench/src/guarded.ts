/** Does work that a resource was opened for. When the work fails, the resource is closed before the error goes on. */
export async function guarded<Result>(
  resource: AsyncDisposable,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await resource[Symbol.asyncDispose]();
    throw error;
  }
}
