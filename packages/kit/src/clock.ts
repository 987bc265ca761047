/** A running timer. */
export interface Timer {
  cancel(): void;
}

/** mcpmux's source of time. It is monotonic, so a change of the wall clock does not affect timeouts. */
export interface Clock {
  /** Returns the milliseconds since an arbitrary moment. Never decreases. */
  now(): number;
  /** Calls `callback` once, after `delayMs` milliseconds, unless the timer is cancelled. */
  schedule(callback: () => void, delayMs: number): Timer;
}

/** The operating system's clock. */
export const systemClock: Clock = Object.freeze({
  now: () => performance.now(),
  schedule: (callback: () => void, delayMs: number) => {
    const timer = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(timer) };
  },
});

/** Resolves after `ms` milliseconds. */
export function pause(ms: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => void clock.schedule(resolve, ms));
}

/**
 * Waits for `event`, for at most `limitMs` milliseconds. Resolves to true if `event` resolves in time, or to false if
 * it does not. Rejects if `event` rejects in time.
 */
export async function waitAtMost(limitMs: number, event: Promise<unknown>, clock: Clock): Promise<boolean> {
  let timer: Timer | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = clock.schedule(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    timer?.cancel();
  }
}
