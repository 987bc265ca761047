import process from 'node:process';

import type { CallRecord } from '@mcpmux/dashboard';

import { thisProcess } from '../config/this-process.js';
import { HistoryFile } from '../history/history-file.js';
import { asRecords, isCall, type HistoryLine } from '../history/stored-call.js';

const MAX_CALLS = 300;
/** The end of the history that the page reads. */
const MAX_BYTES = 1024 * 1024;
/** The time for which the calls of this process are known without the history. */
const KNOWN_MS = 3_600_000;

/** Returns the last stored calls with a config. Leaves out the latest calls of this process, which the page has. */
export function pastCalls(config: string, file = new HistoryFile(thisProcess())): readonly CallRecord[] {
  const isPast = ({ pid, time }: HistoryLine): boolean => {
    const isOwn = pid === process.pid && Date.parse(time) >= performance.timeOrigin;
    return !isOwn || Date.parse(time) < Date.now() - KNOWN_MS;
  };
  try {
    const calls = file.read(MAX_BYTES).filter(isCall);
    return asRecords(calls.filter((call) => call.config === config && isPast(call)).slice(-MAX_CALLS));
  } catch {
    // The page shows the calls of this process.
    return [];
  }
}
