import type { ManualClock, Timer } from './manual-clock.js';

/** A clock whose timers fire late, as in a process that was suspended or got no CPU time. */
export class LateClock {
  private latenessMs = 0;

  constructor(
    private readonly clock: ManualClock,
    private readonly lateMs: number,
  ) {}

  now(): number {
    return this.clock.now() + this.latenessMs;
  }

  schedule(callback: () => void, delayMs: number): Timer {
    return this.clock.schedule(() => {
      this.latenessMs = this.lateMs;
      callback();
    }, delayMs);
  }
}
