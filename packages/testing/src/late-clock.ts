import type { ManualClock, Timer } from './manual-clock.js';

/** A clock whose timers fire later than they were due, as those of a process that was stopped or got no processor. */
export class LateClock {
  private late = 0;

  constructor(
    private readonly clock: ManualClock,
    private readonly lateMs: number,
  ) {}

  now(): number {
    return this.clock.now() + this.late;
  }

  schedule(callback: () => void, delayMs: number): Timer {
    return this.clock.schedule(() => {
      this.late = this.lateMs;
      callback();
    }, delayMs);
  }
}
