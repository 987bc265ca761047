import type { Clock, Timer } from '@mcpmux/kit';
import type { Layer } from '../server/config/layer.js';

/** The methods of the list-change notifications to send, by the clients' layer. */
export type ListChanges = ReadonlyMap<Layer, ReadonlySet<string>>;

/** How long changes are collected before they are announced, in milliseconds. */
export interface CoalescerDelays {
  /** The time from the first change to its announcement if no server is starting. */
  readonly delayMs: number;
  /** The maximum time from the first change to its announcement while servers are starting. */
  readonly maxDelayMs: number;
}

/**
 * Combines the list changes within `delayMs` of the first change into one announcement. While a server is starting, the
 * announcement waits longer, up to `maxDelayMs`, because each start changes the lists again.
 */
export class ChangeCoalescer {
  private timer: Timer | undefined;
  private changes = new Map<Layer, Set<string>>();
  /** The time of the first change that has not been announced. */
  private firstChangeAt = 0;
  /** True if `delayMs` has passed and the announcement is waiting for servers to start. */
  private isExtended = false;
  private isClosed = false;

  constructor(
    private readonly clock: Clock,
    private readonly delays: CoalescerDelays,
    private readonly announce: (changes: ListChanges) => void,
    private readonly startingServers: { readonly hasServers: boolean } = { hasServers: false },
  ) {}

  /** @param method the method of the list-change notification, such as `notifications/tools/list_changed` */
  addChange(layer: Layer, method: string): void {
    if (this.isClosed) return;
    if (this.timer === undefined) this.firstChangeAt = this.clock.now();
    this.changes.set(layer, (this.changes.get(layer) ?? new Set()).add(method));
    if (this.timer === undefined) this.scheduleTimer(this.delays.delayMs);
  }

  /** Must be called when a server has started or failed to start. Once no server is starting, shortens the wait. */
  onStartEnded(): void {
    if (!this.isExtended || this.startingServers.hasServers) return;
    this.isExtended = false;
    this.timer?.cancel();
    this.scheduleTimer(Math.max(0, Math.min(this.delays.delayMs, this.remainingMs())));
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
    this.isExtended = this.startingServers.hasServers && remainingMs > 0;
    if (this.isExtended) return this.scheduleTimer(remainingMs);
    const { changes } = this;
    this.timer = undefined;
    this.changes = new Map();
    this.announce(changes);
  }

  private remainingMs(): number {
    return this.firstChangeAt + this.delays.maxDelayMs - this.clock.now();
  }
}
