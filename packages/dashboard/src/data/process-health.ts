import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import process from 'node:process';

import type { Health } from './overview-shown.js';

const RESOLUTION_MS = 20;
/** How long a reading is reused, in milliseconds, because each new reading restarts the measurement. */
const REUSE_MS = 1000;
/** How long after the last request the event loop continues to be measured, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000;

/** Measures this process while a page requests readings. */
export class ProcessHealth {
  private lastReading: { readonly at: number; readonly cpuMicros: number } | undefined;
  private health: Health = {};
  private delayHistogram: IntervalHistogram | undefined;
  private stopTimer: NodeJS.Timeout | undefined;

  /**
   * @param now returns the time in milliseconds
   * @param reusedMs how long a reading is reused
   */
  constructor(
    private readonly now: () => number,
    private readonly reusedMs = REUSE_MS,
  ) {}

  /** Returns the measurements taken since the last reading. */
  read(): Health {
    if (this.lastReading === undefined || this.now() - this.lastReading.at >= this.reusedMs)
      this.health = this.measure();
    return this.health;
  }

  private measure(): Health {
    const { user, system } = process.cpuUsage();
    const reading = { at: this.now(), cpuMicros: user + system };
    const { lastReading, delayHistogram } = this;
    this.lastReading = reading;
    this.keepMeasuring();
    const elapsedMs = lastReading === undefined ? 0 : reading.at - lastReading.at;
    if (lastReading === undefined || delayHistogram === undefined || elapsedMs <= 0) return {};
    const loopDelayMs = { p99: toDelayMs(delayHistogram.percentile(99)), max: toDelayMs(delayHistogram.max) };
    delayHistogram.reset();
    return {
      cpuPercent: Math.round((reading.cpuMicros - lastReading.cpuMicros) / 10 / elapsedMs),
      loopDelayMs,
    };
  }

  private keepMeasuring(): void {
    clearTimeout(this.stopTimer);
    this.stopTimer = setTimeout(() => this.stopMeasuring(), IDLE_TIMEOUT_MS).unref();
    if (this.delayHistogram !== undefined) return;
    this.delayHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    this.delayHistogram.enable();
  }

  private stopMeasuring(): void {
    this.delayHistogram?.disable();
    this.delayHistogram = undefined;
    this.lastReading = undefined;
  }
}

/**
 * Converts a value of the histogram to milliseconds and subtracts the timer's resolution, which each value includes.
 */
function toDelayMs(nanoseconds: number): number {
  return Math.max(0, Math.round(nanoseconds / 1e6 - RESOLUTION_MS));
}
