import type { Clock, Timer } from '../base/clock.js';
import type { Layer } from '../upstream/config/layer.js';

/** The notifications that are due to clients that see each layer, by their methods. */
export type ListChanges = ReadonlyMap<Layer, ReadonlySet<string>>;

/** Makes one announcement of the list changes that come within `delayMs` of the first. */
export class ChangeCoalescer {
  private timer: Timer | undefined;
  private changes = new Map<Layer, Set<string>>();

  constructor(
    private readonly clock: Clock,
    private readonly delayMs: number,
    private readonly announce: (changes: ListChanges) => void,
  ) {}

  /** @param method of the notification that one of the layer's lists has changed */
  changed(layer: Layer, method: string): void {
    this.changes.set(layer, (this.changes.get(layer) ?? new Set()).add(method));
    this.timer ??= this.clock.schedule(() => {
      const { changes } = this;
      this.timer = undefined;
      this.changes = new Map();
      this.announce(changes);
    }, this.delayMs);
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
  }
}
