import type { Clock, Timer } from '@mcpmux/kit';
import type { Layer } from '../server/config/layer.js';

/** The notifications that are due to clients that see each layer, by their methods. */
export type ListChanges = ReadonlyMap<Layer, ReadonlySet<string>>;

/** How long changes are collected, in milliseconds. */
export interface CoalescerTimes {
  /** From the first change to its announcement. */
  readonly delayMs: number;
  /** The same while servers are starting, which will change the lists as well. */
  readonly startingMs: number;
}

/**
 * Makes one announcement of the list changes that come within `delayMs` of the first. Servers that start together
 * are announced together: while one of them is starting, the announcement waits, for `startingMs` at most.
 */
export class ChangeCoalescer {
  private timer: Timer | undefined;
  private changes = new Map<Layer, Set<string>>();
  /** When the first of the changes came. A reading of the clock. */
  private since = 0;
  /** The changes have waited for `delayMs` and wait for servers now. */
  private isExtended = false;

  constructor(
    private readonly clock: Clock,
    private readonly times: CoalescerTimes,
    private readonly announce: (changes: ListChanges) => void,
    private readonly starting: { readonly isAny: boolean } = { isAny: false },
  ) {}

  /** @param method of the notification that one of the layer's lists has changed */
  changed(layer: Layer, method: string): void {
    if (this.timer === undefined) this.since = this.clock.now();
    this.changes.set(layer, (this.changes.get(layer) ?? new Set()).add(method));
    if (this.timer === undefined) this.wait(this.times.delayMs);
  }

  /** A start has ended. After the last one nothing is left to wait for. */
  startEnded(): void {
    if (!this.isExtended || this.starting.isAny) return;
    this.isExtended = false;
    this.timer?.cancel();
    this.wait(Math.max(0, Math.min(this.times.delayMs, this.left())));
  }

  close(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.isExtended = false;
  }

  private wait(ms: number): void {
    this.timer = this.clock.schedule(() => this.waited(), ms);
  }

  private waited(): void {
    const left = this.left();
    this.isExtended = this.starting.isAny && left > 0;
    if (this.isExtended) return this.wait(left);
    const { changes } = this;
    this.timer = undefined;
    this.changes = new Map();
    this.announce(changes);
  }

  private left(): number {
    return this.since + this.times.startingMs - this.clock.now();
  }
}
