import type { CallRecord } from '@mcpmux/dashboard';

import { z, type Checked } from '../base/zod.js';

const place = { time: z.isoDatetime(), pid: z.number(), config: z.exactOptional(z.string()) };

const schema = z.union([
  z.object({
    ...place,
    server: z.string(),
    tool: z.string(),
    ms: z.number(),
    /** `result`, `error`, `failed` or `cancelled`. */
    ending: z.string(),
    problem: z.exactOptional(z.string()),
    client: z.exactOptional(z.string()),
    /** The sizes of the request and the response. */
    sent: z.exactOptional(z.number()),
    received: z.exactOptional(z.number()),
    /** The beginnings of the arguments and of the result, as JSON. */
    arguments: z.exactOptional(z.string()),
    result: z.exactOptional(z.string()),
  }),
  // Calls that were too many to be stored.
  z.object({ ...place, missed: z.number() }),
]);

/** A line of the history: a call that has ended, or the number of calls that are not stored. */
export type HistoryLine = Checked<typeof schema>;

/** A call that has ended. */
export type StoredCall = Exclude<HistoryLine, { readonly missed: number }>;

/** Reads a line of the history. Returns undefined for a line that a crash has cut. */
export function historyLine(text: string): HistoryLine | undefined {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** True for a line about a call. */
export function isCall(line: HistoryLine): line is StoredCall {
  return 'tool' in line;
}

/**
 * Returns calls as the page lists them. Their numbers are negative, because the numbers from 1 belong to the calls of
 * the running mcpmux.
 */
export function asRecords(calls: readonly StoredCall[]): readonly CallRecord[] {
  return calls.map((stored, index) => {
    const { time, pid: _, config: __, arguments: ___, result: ____, ...call } = stored;
    return { ...call, call: index - calls.length, time: Date.parse(time), hasContent: false };
  });
}
