import process from 'node:process';

import type { CallRecord } from '@mcpmux/dashboard';

import { thisProcess } from '../config/this-process.js';
import { HistoryFile } from '../history/history-file.js';
import { toCallRecords, isCall, type HistoryLine } from '../history/stored-call.js';

const MAX_CALLS = 300;
/** The number of bytes that the page reads from the end of the history. */
const MAX_HISTORY_BYTES = 1024 * 1024;
/** How long this process remembers its own calls in memory, in milliseconds. */
const OWN_CALLS_MS = 3_600_000;

/** Returns the last stored calls for a config, except those that this process still remembers and the page lists. */
export function readPastCalls(config: string, file = new HistoryFile(thisProcess())): readonly CallRecord[] {
  const isPast = ({ pid, time }: HistoryLine): boolean => {
    const isFromThisProcess = pid === process.pid && Date.parse(time) >= performance.timeOrigin;
    return !isFromThisProcess || Date.parse(time) < Date.now() - OWN_CALLS_MS;
  };
  try {
    const calls = file.read(MAX_HISTORY_BYTES).filter(isCall);
    return toCallRecords(calls.filter((call) => call.config === config && isPast(call)).slice(-MAX_CALLS));
  } catch {
    // Without a readable history, the page shows only this process's calls.
    return [];
  }
}
