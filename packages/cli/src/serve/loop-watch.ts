import type { Logger } from '@mcpmux/core';

/** The interval of the checks, in milliseconds. It is shorter than any block that is reported. */
const INTERVAL_MS = 100;
/** The delay, in milliseconds, above which a check is reported as late. */
const LATE_MS = 200;

/**
 * Logs blocks of the event loop. mcpmux forwarded nothing during a block, so the reader of the log should not look for
 * the cause in a server. Does not keep the process alive.
 */
export function watchLoop(logger: Logger, now: () => number = () => performance.now()): { stop(): void } {
  let expected = now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const late = Math.round(now() - expected);
    expected = now() + INTERVAL_MS;
    if (late > LATE_MS) logger.log('warn', `the event loop of mcpmux was blocked for ${late} ms`);
  }, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
