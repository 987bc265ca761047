import type { CallRecord } from '@mcpmux/dashboard';

import { z, type Checked } from '../base/zod.js';

const commonFields = { time: z.isoDatetime(), pid: z.number(), config: z.exactOptional(z.string()) };

const schema = z.union([
  z.object({
    ...commonFields,
    server: z.string(),
    tool: z.string(),
    ms: z.number(),
    /** The outcome: `result`, `error`, `failed` or `cancelled`. */
    ending: z.string(),
    problem: z.exactOptional(z.string()),
    client: z.exactOptional(z.string()),
    /** The sizes of the request and the response, in bytes. */
    sent: z.exactOptional(z.number()),
    received: z.exactOptional(z.number()),
    /** The arguments and the result as JSON, each truncated. */
    arguments: z.exactOptional(z.string()),
    result: z.exactOptional(z.string()),
  }),
  // `missed` is the number of calls that exceeded the limit and were not stored.
  z.object({ ...commonFields, missed: z.number() }),
]);

/** A line of the history, which is a completed call or the number of calls that were not stored. */
export type HistoryLine = Checked<typeof schema>;

/** A completed call. */
export type StoredCall = Exclude<HistoryLine, { readonly missed: number }>;

/** Parses a line of the history. Returns undefined for a line that a crash has truncated. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** True if a line describes a call. */
export function isCall(line: HistoryLine): line is StoredCall {
  return 'tool' in line;
}

/** Converts calls for the page. Their numbers are negative, because the running mcpmux uses the positive numbers. */
export function toCallRecords(calls: readonly StoredCall[]): readonly CallRecord[] {
  return calls.map((stored, index) => {
    const { time, pid: _, config: __, arguments: ___, result: ____, ...call } = stored;
    return { ...call, call: index - calls.length, time: Date.parse(time), hasContent: false };
  });
}
