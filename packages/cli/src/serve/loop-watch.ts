import type { Logger } from '@mcpmux/core';

/** How often to look, in milliseconds: no standstill that is told fits between two looks. */
const INTERVAL_MS = 100;
/** A look that is so much too late, in milliseconds, is told. */
const LATE_MS = 200;

/**
 * Tells the log when the event loop has stood still: nothing was forwarded then, and whoever reads the log should not
 * look for the reason in a server. Does not keep the process alive.
 */
export function watchLoop(logger: Logger, now: () => number = () => performance.now()): { stop(): void } {
  let expected = now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const late = Math.round(now() - expected);
    expected = now() + INTERVAL_MS;
    if (late > LATE_MS) logger.log('warn', `mcpmux stood still for ${late} ms`);
  }, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
