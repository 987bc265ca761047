/** Used in place of `queueMicrotask`, for which Node.js creates an asynchronous resource on each call. */
const RESOLVED_PROMISE = Promise.resolve();

/** Work for the end of the read scope, for all peers of this thread. */
const pendingWork: (() => void)[] = [];
let isInScope = false;

/**
 * Calls `work` once at the end of the read scope, when all bytes of one read have been handled
 * ({@link runInReadScope}). Outside a read, calls `work` as soon as the running code has ended.
 */
export function runAtScopeEnd(work: () => void): void {
  if (pendingWork.length === 0 && !isInScope) void RESOLVED_PROMISE.then(endScope);
  pendingWork.push(work);
}

/**
 * Handles the bytes of one read with `handle`, and ends the scope before the next read, even if `handle` throws. An
 * inner scope ends first, with all work that was added by then. Microtasks are not sufficient, because after an
 * exception that a host survives, Node.js continues to read before it runs microtasks.
 */
export function runInReadScope<Args extends unknown[]>(handle: (...args: Args) => void, ...args: Args): void {
  const isNested = isInScope;
  isInScope = true;
  try {
    handle(...args);
  } finally {
    isInScope = isNested;
    endScope();
  }
}

function endScope(): void {
  const work = pendingWork.shift();
  if (work === undefined) return;
  try {
    work();
  } finally {
    // An exception in one peer's handler must not leave another peer's lines unsent.
    endScope();
  }
}
