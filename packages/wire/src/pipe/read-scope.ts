/** Replaces `queueMicrotask`, for which Node.js creates an asynchronous resource on each call. */
const RESOLVED_PROMISE = Promise.resolve();

/** The callbacks to run at the end of the read scope, for all peers of this thread. */
const pendingWork: (() => void)[] = [];
let isInScope = false;

/**
 * Calls `work` once at the end of the read scope, after all bytes of one read have been processed ({@link
 * runInReadScope}). Outside a read scope, calls `work` as soon as the running code has returned.
 */
export function runAtScopeEnd(work: () => void): void {
  if (pendingWork.length === 0 && !isInScope) void RESOLVED_PROMISE.then(endScope);
  pendingWork.push(work);
}

/**
 * Processes the bytes of one read with `handle`, and ends the scope before the next read, even if `handle` throws. An
 * inner scope ends first and runs all work scheduled so far. Microtasks would not suffice: after an exception that the
 * host survives, Node.js reads again before it runs microtasks.
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
