import type { Clock, Timer } from '../clock.js';

/** Makes one announcement of the changes that come within `delayMs` of the first. */
export class ChangeCoalescer {
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly announce: () => void,
  ) {}

  changed(): void {
    this.timer ??= this.clock.schedule(() => {
      this.timer = undefined;
      this.announce();
    }, this.delayMs);
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
