import { performance } from 'node:perf_hooks';

import type { Logger } from '@mcpmux/core';

/** The interval between checks, in milliseconds. It is shorter than the shortest reported block. */
const INTERVAL_MS = 100;
/** The delay of a check above which a block is reported, in milliseconds. */
const LATE_MS = 200;
/** The number of consecutive quiet checks after which checking pauses. */
const QUIET_CHECKS = 2;
const QUIET_MS = 1;

/** A clock with the current time and the active time of the event loop, in milliseconds. */
export interface LoopClock {
  now(): number;
  activeMs(): number;
}

const CLOCK: LoopClock = {
  now: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
};

/**
 * Logs blocks of the event loop, which delay all messages, so that users do not look for the cause in a server. The
 * checks pause while the loop is idle and do not keep the process alive.
 */
export function watchLoop(logger: Logger, clock: LoopClock = CLOCK): { stop(): void } {
  let pause = (): void => undefined;
  const report = (ms: number): void => {
    if (ms > LATE_MS) logger.log('warn', `the event loop of mcpmux was blocked for ${Math.round(ms)} ms`);
  };
  const check = (): void => {
    let expected = clock.now() + INTERVAL_MS;
    let active = clock.activeMs();
    let quietCount = 0;
    const timer = setInterval(() => {
      report(clock.now() - expected);
      expected = clock.now() + INTERVAL_MS;
      quietCount = clock.activeMs() - active < QUIET_MS ? quietCount + 1 : 0;
      active = clock.activeMs();
      if (quietCount >= QUIET_CHECKS) pauseUntilWork();
    }, INTERVAL_MS).unref();
    pause = () => clearInterval(timer);
  };
  const pauseUntilWork = (): void => {
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
 * Runs a callback at the end of the next iteration of the event loop that has work. Returns a function that cancels it.
 * An unreferenced immediate does not wake the loop. The first immediate only skips the current iteration.
 */
function onNextWork(callback: () => void): () => void {
  let immediate = setImmediate(() => {
    immediate = setImmediate(callback).unref();
  }).unref();
  return () => clearImmediate(immediate);
}
