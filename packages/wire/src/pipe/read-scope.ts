/** What follows it is done after what runs now. Not queueMicrotask: Node.js makes an asynchronous resource for that. */
const SOON = Promise.resolve();

/** What is to be done when the turn is over, of all peers of this thread. */
const due: (() => void)[] = [];
let isTaking = false;

/**
 * Calls `work` once when the turn is over: when all that was read at once has been taken ({@link inReadScope}), or, for what
 * has another cause, as soon as the code that runs now has ended.
 */
export function atScopeEnd(work: () => void): void {
  if (due.length === 0 && !isTaking) void SOON.then(endTurn);
  due.push(work);
}

/**
 * Takes what was read, by `take`, and ends the turn before anything else can be read, also when `take` throws. Microtasks
 * would not do: after an exception that a host has survived, Node.js goes on reading before it runs them.
 */
export function inReadScope(take: () => void): void {
  isTaking = true;
  try {
    take();
  } finally {
    isTaking = false;
    endTurn();
  }
}

function endTurn(): void {
  const work = due.shift();
  if (work === undefined) return;
  try {
    work();
  } finally {
    // What one peer's handler throws is no reason to leave another peer's lines unsent.
    endTurn();
  }
}
