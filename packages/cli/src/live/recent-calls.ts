import type { MuxEventMap } from '@mcpmux/core';
import type { CallRecord } from '@mcpmux/dashboard';

import { hasFailed } from './call-stats.js';

const KEPT_MS = 3_600_000;
const MAX_CALLS = 500;
/** The last failed calls remain while later calls succeed. */
const MAX_FAILED = 100;

/** The calls of the last hour without their content, for a page that is opened later. */
export class RecentCalls {
  private readonly calls = new Map<number, CallRecord>();
  private readonly failed = new Map<number, CallRecord>();

  constructor(private readonly now: () => number = Date.now) {}

  began({ call, server, layer, tool }: MuxEventMap['call:start']): void {
    const place = layer === undefined ? undefined : { layer };
    keep(this.calls, { call, time: this.now(), server, ...place, tool, hasContent: false }, MAX_CALLS);
  }

  ended({ call, server, layer, tool, ms, ending, problem }: MuxEventMap['call:end']): void {
    const place = layer === undefined ? undefined : { layer };
    const why = problem === undefined ? undefined : { problem };
    const time = this.now() - ms;
    const record = { call, time, server, ...place, tool, ms, ending, ...why, hasContent: false };
    if (this.calls.has(call)) this.calls.set(call, record);
    if (hasFailed({ ending, problem })) keep(this.failed, record, MAX_FAILED);
  }

  /** Returns the calls, oldest first. */
  list(): readonly CallRecord[] {
    const since = this.now() - KEPT_MS;
    const all = [...new Map([...this.failed, ...this.calls]).values()];
    return all.filter(({ time }) => time >= since).toSorted((one, other) => one.call - other.call);
  }
}

/** Adds a record, and drops the oldest record if there are more than `most`. */
function keep(records: Map<number, CallRecord>, record: CallRecord, most: number): void {
  records.set(record.call, record);
  if (records.size <= most) return;
  for (const oldest of records.keys()) return void records.delete(oldest);
}
