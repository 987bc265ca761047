import type { MuxEventMap } from '@mcpmux/core';
import { type CallRecord, hasFailed } from '@mcpmux/dashboard';

const MAX_AGE_MS = 3_600_000;
const MAX_CALLS = 500;
/** How many failed calls to remember, even if many successful calls follow. */
const MAX_FAILED_CALLS = 100;
/** How many started calls to record per second. In a flood, each further call must cost almost nothing. */
const MAX_CALLS_PER_SECOND = 50;

/** Records recent calls without their content, so that a page opened later can list them. */
export class RecentCalls {
  private readonly calls = new Map<number, CallRecord>();
  /** The ids of recorded calls that have not ended yet. */
  private readonly pendingCalls = new Set<number>();
  private failedCalls: readonly CallRecord[] = [];
  private remainingThisSecond = MAX_CALLS_PER_SECOND;

  constructor(private readonly now: () => number = Date.now) {}

  recordStart({ call, server, layer, tool }: MuxEventMap['call:start']): void {
    if (this.remainingThisSecond === 0) return;
    if (this.remainingThisSecond === MAX_CALLS_PER_SECOND)
      setTimeout(() => (this.remainingThisSecond = MAX_CALLS_PER_SECOND), 1000).unref();
    this.remainingThisSecond -= 1;
    const common = { call, time: this.now(), server, ...(layer && { layer }), tool };
    this.calls.set(call, { ...common, hasContent: false });
    this.pendingCalls.add(call);
    const [oldest = call] = this.calls.keys();
    if (this.calls.size > MAX_CALLS) this.calls.delete(oldest);
  }

  recordEnd({ call, server, layer, tool, ms, ending, problem }: MuxEventMap['call:end']): void {
    const isFailed = hasFailed({ ending, problem });
    if (!isFailed && (this.pendingCalls.size === 0 || !this.pendingCalls.has(call))) return;
    this.pendingCalls.delete(call);
    const common = { call, time: this.now() - ms, server, ...(layer && { layer }), tool };
    const record = { ...common, ms, ending, ...(problem !== undefined && { problem }), hasContent: false };
    if (this.calls.has(call)) this.calls.set(call, record);
    if (isFailed) this.failedCalls = [...this.failedCalls, record].slice(-MAX_FAILED_CALLS);
  }

  /** Returns the recorded calls of the last hour, oldest first. */
  list(): readonly CallRecord[] {
    const minTime = this.now() - MAX_AGE_MS;
    const allCalls = [
      ...new Map([...this.failedCalls.map((one) => [one.call, one] as const), ...this.calls]).values(),
    ];
    return allCalls.filter(({ time }) => time >= minTime).toSorted((one, other) => one.call - other.call);
  }
}
