import process from 'node:process';

import type { CallRecord } from '@mcpmux/dashboard';

import { thisProcess } from '../config/this-process.js';
import { HistoryFile } from '../history/history-file.js';
import { asRecords, isCall, type HistoryLine } from '../history/stored-call.js';

const MAX_CALLS = 300;
/** The number of bytes that the page reads from the end of the history. */
const MAX_BYTES = 1024 * 1024;
/** The time for which this process remembers its calls even without the history. */
const REMEMBERED_MS = 3_600_000;

/** Returns the last stored calls of a config, except recent calls of this process, which the page already has. */
export function pastCalls(config: string, file = new HistoryFile(thisProcess())): readonly CallRecord[] {
  const isPast = ({ pid, time }: HistoryLine): boolean => {
    const isOwn = pid === process.pid && Date.parse(time) >= performance.timeOrigin;
    return !isOwn || Date.parse(time) < Date.now() - REMEMBERED_MS;
  };
  try {
    const calls = file.read(MAX_BYTES).filter(isCall);
    return asRecords(calls.filter((call) => call.config === config && isPast(call)).slice(-MAX_CALLS));
  } catch {
    // Without a readable history, the page shows only the calls of this process.
    return [];
  }
}
