import type { Clock, Timer } from '@mcpmux/kit';
import type { Layer } from '../server/config/layer.js';

/** The methods of the list-change notifications to send, by the layer of their clients. */
export type ListChanges = ReadonlyMap<Layer, ReadonlySet<string>>;

/** How long changes are collected, in milliseconds. */
export interface CoalescerDelays {
  /** The time from the first change to its announcement. */
  readonly delayMs: number;
  /** The maximum time from the first change to its announcement while servers are starting. */
  readonly maxDelayMs: number;
}

/**
 * Combines the list changes within `delayMs` of the first change into one announcement. While a server is starting, the
 * announcement waits for at most `maxDelayMs`, because each start changes the lists again.
 */
export class ChangeCoalescer {
  private timer: Timer | undefined;
  private changes = new Map<Layer, Set<string>>();
  /** The time of the first change. */
  private firstChangeAt = 0;
  /** True if `delayMs` is over and the announcement waits for starting servers. */
  private isExtended = false;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly times: CoalescerDelays,
    private readonly announce: (changes: ListChanges) => void,
    private readonly starting: { readonly hasServers: boolean } = { hasServers: false },
  ) {}

  /** @param method the notification for a change to one of the layer's lists */
  addChange(layer: Layer, method: string): void {
    if (this.isClosed) return;
    if (this.timer === undefined) this.firstChangeAt = this.clock.now();
    this.changes.set(layer, (this.changes.get(layer) ?? new Set()).add(method));
    if (this.timer === undefined) this.scheduleTimer(this.times.delayMs);
  }

  /** Ends the longer wait of the announcement if this was the last start. */
  onStartEnded(): void {
    if (!this.isExtended || this.starting.hasServers) return;
    this.isExtended = false;
    this.timer?.cancel();
    this.scheduleTimer(Math.max(0, Math.min(this.times.delayMs, this.remainingMs())));
  }

  /** Cancels the pending announcement and ignores later changes. */
  close(): void {
    this.isClosed = true;
    this.timer?.cancel();
    this.timer = undefined;
    this.isExtended = false;
  }

  private scheduleTimer(ms: number): void {
    this.timer = this.clock.schedule(() => this.onTimer(), ms);
  }

  private onTimer(): void {
    const remainingMs = this.remainingMs();
    this.isExtended = this.starting.hasServers && remainingMs > 0;
    if (this.isExtended) return this.scheduleTimer(remainingMs);
    const { changes } = this;
    this.timer = undefined;
    this.changes = new Map();
    this.announce(changes);
  }

  private remainingMs(): number {
    return this.firstChangeAt + this.times.maxDelayMs - this.clock.now();
  }
}
