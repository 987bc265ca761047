/** Not queueMicrotask: Node.js makes an asynchronous resource for that. */
const SOON = Promise.resolve();

/** Work for the end of the read scope, of all peers of this thread. */
const due: (() => void)[] = [];
let isInScope = false;

/**
 * Calls `work` once at the end of the read scope: when all the bytes of one read have been handled ({@link inReadScope}), or,
 * outside of a read, as soon as the running code has ended.
 */
export function atScopeEnd(work: () => void): void {
  if (due.length === 0 && !isInScope) void SOON.then(endScope);
  due.push(work);
}

/**
 * Handles the bytes of one read by `handle`, and ends the scope before anything else can be read, also when `handle` throws.
 * A scope within
 * another one ends first, with all that was due by then. Microtasks would not do: after an exception that a host has survived, Node.js goes on reading before it runs them.
 */
export function inReadScope<Args extends unknown[]>(handle: (...args: Args) => void, ...args: Args): void {
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
  const work = due.shift();
  if (work === undefined) return;
  try {
    work();
  } finally {
    // An exception of one peer's handler is no reason to leave another peer's lines unsent.
    endScope();
  }
}
