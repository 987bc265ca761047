import type { Clock, Timer } from '../base/clock.js';

/** Makes one announcement of the changes that come within `delayMs` of the first. */
export class ChangeCoalescer<Change> {
  private timer: Timer | undefined;
  private changes = new Set<Change>();

  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly announce: (changes: ReadonlySet<Change>) => void,
  ) {}

  changed(change: Change): void {
    this.changes.add(change);
    this.timer ??= this.clock.schedule(() => {
      const { changes } = this;
      this.timer = undefined;
      this.changes = new Set();
      this.announce(changes);
    }, this.delayMs);
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
