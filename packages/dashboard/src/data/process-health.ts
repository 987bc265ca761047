import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import process from 'node:process';

import type { Health } from './overview-shown.js';

const RESOLUTION_MS = 20;
/** Pages that request a reading within this time get the same one, because each reading starts a new measurement. */
const REUSED_MS = 1000;
/** The time without a request after which the event loop is no longer measured. */
const IDLE_MS = 10_000;

/** Measures the process while a page requests readings. */
export class ProcessHealth {
  private last: { readonly at: number; readonly cpuMicros: number } | undefined;
  private health: Health = {};
  private delay: IntervalHistogram | undefined;
  private stopTimer: NodeJS.Timeout | undefined;

  /**
   * @param now returns the time in milliseconds
   * @param reusedMs the time for which further calls get the same reading
   */
  constructor(
    private readonly now: () => number,
    private readonly reusedMs = REUSED_MS,
  ) {}

  /** Returns the measurements since the last reading. */
  read(): Health {
    if (this.last === undefined || this.now() - this.last.at >= this.reusedMs) this.health = this.measure();
    return this.health;
  }

  private measure(): Health {
    const { user, system } = process.cpuUsage();
    const reading = { at: this.now(), cpuMicros: user + system };
    const { last, delay } = this;
    this.last = reading;
    this.keepMeasuring();
    const elapsed = last === undefined ? 0 : reading.at - last.at;
    if (last === undefined || delay === undefined || elapsed <= 0) return {};
    const loopDelayMs = { p99: loopDelay(delay.percentile(99)), max: loopDelay(delay.max) };
    delay.reset();
    return { cpuPercent: Math.round((reading.cpuMicros - last.cpuMicros) / 10 / elapsed), loopDelayMs };
  }

  private keepMeasuring(): void {
    clearTimeout(this.stopTimer);
    this.stopTimer = setTimeout(() => this.stopMeasuring(), IDLE_MS).unref();
    if (this.delay !== undefined) return;
    this.delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.delay.enable();
  }

  private stopMeasuring(): void {
    this.delay?.disable();
    this.delay = undefined;
    this.last = undefined;
  }
}

/**
 * Converts a value of the histogram to milliseconds, without the resolution of its timer, which each value includes.
 */
function loopDelay(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e6 - RESOLUTION_MS));
}
