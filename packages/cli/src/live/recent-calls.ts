import type { MuxEventMap } from '@mcpmux/core';
import { type CallRecord, hasFailed } from '@mcpmux/dashboard';

const KEPT_MS = 3_600_000;
const MAX_CALLS = 500;
/** The last failed calls remain while later calls succeed. */
const MAX_FAILED = 100;
/** Of a flood, only some calls are stored. The others must cost almost nothing. */
const MAX_PER_SECOND = 50;

/** The calls of the last hour without their content, for a page that is opened later. */
export class RecentCalls {
  private readonly calls = new Map<number, CallRecord>();
  /** The stored calls that are in flight. */
  private readonly open = new Set<number>();
  private failed: readonly CallRecord[] = [];
  private left = MAX_PER_SECOND;

  constructor(private readonly now: () => number = Date.now) {}

  began({ call, server, layer, tool }: MuxEventMap['call:start']): void {
    if (this.left === 0) return;
    if (this.left === MAX_PER_SECOND) setTimeout(() => (this.left = MAX_PER_SECOND), 1000).unref();
    this.left -= 1;
    const place = { call, time: this.now(), server, ...(layer && { layer }), tool };
    this.calls.set(call, { ...place, hasContent: false });
    this.open.add(call);
    const [oldest = call] = this.calls.keys();
    if (this.calls.size > MAX_CALLS) this.calls.delete(oldest);
  }

  ended({ call, server, layer, tool, ms, ending, problem }: MuxEventMap['call:end']): void {
    const isFailed = hasFailed({ ending, problem });
    if (!isFailed && (this.open.size === 0 || !this.open.has(call))) return;
    this.open.delete(call);
    const place = { call, time: this.now() - ms, server, ...(layer && { layer }), tool };
    const record = { ...place, ms, ending, ...(problem !== undefined && { problem }), hasContent: false };
    if (this.calls.has(call)) this.calls.set(call, record);
    if (isFailed) this.failed = [...this.failed, record].slice(-MAX_FAILED);
  }

  /** Returns the calls, oldest first. */
  list(): readonly CallRecord[] {
    const since = this.now() - KEPT_MS;
    const all = [...new Map([...this.failed.map((one) => [one.call, one] as const), ...this.calls]).values()];
    return all.filter(({ time }) => time >= since).toSorted((one, other) => one.call - other.call);
  }
}
