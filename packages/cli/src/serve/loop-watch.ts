import { performance } from 'node:perf_hooks';

import type { Logger } from '@mcpmux/core';

/** The interval of the checks, in milliseconds. It is shorter than any block that is reported. */
const INTERVAL_MS = 100;
/** The delay, in milliseconds, above which a check is reported as late. */
const LATE_MS = 200;
/** The number of checks in a row without other work after which the checks pause, and the work below which a check has none. */
const QUIET_CHECKS = 2;
const QUIET_MS = 1;

/** The time, and the time that the event loop was not idle, in milliseconds. */
export interface LoopClock {
  now(): number;
  activeMs(): number;
}

const CLOCK: LoopClock = {
  now: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
};

/**
 * Logs blocks of the event loop. mcpmux forwarded nothing during a block, so the reader of the log should not look for
 * the cause in a server. The checks pause while the loop is idle, and do not keep the process alive.
 */
export function watchLoop(logger: Logger, clock: LoopClock = CLOCK): { stop(): void } {
  let pause = (): void => undefined;
  const report = (ms: number): void => {
    if (ms > LATE_MS) logger.log('warn', `the event loop of mcpmux was blocked for ${Math.round(ms)} ms`);
  };
  const check = (): void => {
    let expected = clock.now() + INTERVAL_MS;
    let active = clock.activeMs();
    let quiet = 0;
    const timer = setInterval(() => {
      report(clock.now() - expected);
      expected = clock.now() + INTERVAL_MS;
      quiet = clock.activeMs() - active < QUIET_MS ? quiet + 1 : 0;
      active = clock.activeMs();
      if (quiet >= QUIET_CHECKS) sleep();
    }, INTERVAL_MS).unref();
    pause = () => clearInterval(timer);
  };
  const sleep = (): void => {
    pause();
    const active = clock.activeMs();
    pause = onNextWork(() => {
      report(clock.activeMs() - active);
      check();
    });
  };
  check();
  return { stop: () => pause() };
}

/**
 * Runs a callback at the end of the turn in which the loop next has work, and returns what prevents that. An immediate
 * that is not counted wakes no loop. The first one runs in the present turn, the one that it sets in the next turn.
 */
function onNextWork(callback: () => void): () => void {
  let next = setImmediate(() => {
    next = setImmediate(callback).unref();
  }).unref();
  return () => clearImmediate(next);
}
