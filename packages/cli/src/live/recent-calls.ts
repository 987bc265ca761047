import type { MuxEventMap } from '@mcpmux/core';
import type { CallRecord } from '@mcpmux/dashboard';

import { hasFailed } from './call-stats.js';

const KEPT_MS = 3_600_000;
const MAX_CALLS = 500;
/** The last failed calls remain while later calls succeed. */
const MAX_FAILED = 100;

interface Entry extends Pick<CallRecord, 'call' | 'time' | 'server' | 'tool'> {
  readonly layer: string | undefined;
  end?: Pick<MuxEventMap['call:end'], 'ms' | 'ending' | 'problem'> | undefined;
}

/** The calls of the last hour without their content, for a page that is opened later. */
export class RecentCalls {
  /** Each call has the place of its number, so that a later call replaces it. */
  private readonly calls: Entry[] = [];
  private failed: readonly Entry[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  began({ call, server, layer, tool }: MuxEventMap['call:start']): void {
    this.calls[call % MAX_CALLS] = { call, time: this.now(), server, layer, tool, end: undefined };
  }

  ended({ call, server, layer, tool, ms, ending, problem }: MuxEventMap['call:end']): void {
    const known = this.calls[call % MAX_CALLS];
    const entry: Entry = known?.call === call ? known : { call, time: this.now() - ms, server, layer, tool };
    entry.end = { ms, ending, ...(problem !== undefined && { problem }) };
    if (hasFailed({ ending, problem })) this.failed = [...this.failed, entry].slice(-MAX_FAILED);
  }

  /** Returns the calls, oldest first. */
  list(): readonly CallRecord[] {
    const since = this.now() - KEPT_MS;
    return [...new Set([...this.failed, ...Object.values(this.calls)])]
      .filter(({ time }) => time >= since)
      .toSorted((one, other) => one.call - other.call)
      .map(recordOf);
  }
}

function recordOf({ layer, end, ...call }: Entry): CallRecord {
  return { ...call, ...(layer !== undefined && { layer }), ...end, hasContent: false };
}
