import { performance } from 'node:perf_hooks';

import type { Logger } from '@mcpmux/core';

/** The interval between checks, in milliseconds. It is shorter than the shortest reported block. */
const CHECK_INTERVAL_MS = 100;
/** How late a check may run, in milliseconds, before the event loop is reported as blocked. */
const MIN_REPORTED_BLOCK_MS = 200;
/** Checking pauses after this many consecutive checks find the event loop idle. */
const QUIET_CHECKS = 2;
const MAX_QUIET_ACTIVE_MS = 1;

/** Measures the current time and the event loop's active time, in milliseconds. */
export interface LoopClock {
  now(): number;
  activeMs(): number;
}

const SYSTEM_CLOCK: LoopClock = {
  now: () => performance.now(),
  activeMs: () => performance.eventLoopUtilization().active,
};

/**
 * Logs blocks of the event loop, which delay all messages, so that users do not look for the cause in a server. The
 * checks pause while the loop is idle and do not keep the process alive.
 */
export function watchEventLoop(logger: Logger, clock: LoopClock = SYSTEM_CLOCK): { stop(): void } {
  let cancelChecks = (): void => undefined;
  const reportBlock = (ms: number): void => {
    if (ms > MIN_REPORTED_BLOCK_MS)
      logger.log('warn', `the event loop of mcpmux was blocked for ${Math.round(ms)} ms`);
  };
  const startChecks = (): void => {
    let expectedTime = clock.now() + CHECK_INTERVAL_MS;
    let activeMsBefore = clock.activeMs();
    let quietCount = 0;
    const timer = setInterval(() => {
      reportBlock(clock.now() - expectedTime);
      expectedTime = clock.now() + CHECK_INTERVAL_MS;
      quietCount = clock.activeMs() - activeMsBefore < MAX_QUIET_ACTIVE_MS ? quietCount + 1 : 0;
      activeMsBefore = clock.activeMs();
      if (quietCount >= QUIET_CHECKS) pauseUntilWork();
    }, CHECK_INTERVAL_MS).unref();
    cancelChecks = () => clearInterval(timer);
  };
  const pauseUntilWork = (): void => {
    cancelChecks();
    const activeMsBefore = clock.activeMs();
    cancelChecks = onNextWork(() => {
      reportBlock(clock.activeMs() - activeMsBefore);
      startChecks();
    });
  };
  startChecks();
  return { stop: () => cancelChecks() };
}

/**
 * Runs a callback at the end of the next event loop iteration that has work. Returns a function that cancels the
 * callback. An unreferenced immediate does not wake the loop. The first immediate only skips the current iteration.
 */
function onNextWork(callback: () => void): () => void {
  let immediate = setImmediate(() => {
    immediate = setImmediate(callback).unref();
  }).unref();
  return () => clearImmediate(immediate);
}
