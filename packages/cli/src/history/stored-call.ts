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
    /** The arguments and the result as JSON, truncated if they are long. */
    arguments: z.exactOptional(z.string()),
    result: z.exactOptional(z.string()),
  }),
  // `missed` is the number of calls that were not stored because too many calls ended between two writes.
  z.object({ ...commonFields, missed: z.number() }),
]);

/** A line of the history: either a completed call, or the number of calls that were not stored. */
export type HistoryLine = Checked<typeof schema>;

/** A completed call. */
export type StoredCall = Exclude<HistoryLine, { readonly missed: number }>;

/** Parses a line of the history. Returns undefined for an invalid line, such as one truncated by a crash. */
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

/** Converts stored calls for the page. Numbers them negatively, because the running mcpmux uses positive numbers. */
export function toCallRecords(calls: readonly StoredCall[]): readonly CallRecord[] {
  return calls.map((stored, index) => {
    const { time, pid: _, config: __, arguments: ___, result: ____, ...call } = stored;
    return { ...call, call: index - calls.length, time: Date.parse(time), hasContent: false };
  });
}
