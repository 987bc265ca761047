import type { Logger } from '@mcpmux/core';

/** The interval of the checks, in milliseconds: shorter than any block that is reported. */
const INTERVAL_MS = 100;
/** A check that is later than this, in milliseconds, is reported. */
const LATE_MS = 200;

/**
 * Logs when the event loop was blocked. mcpmux forwarded nothing then, so the reader of the log should not look for the
 * reason in a server. Does not keep the process alive.
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
