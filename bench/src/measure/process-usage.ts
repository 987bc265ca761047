import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { residentBytes, runNanos } from './proc-files.js';

const NANOS_PER_MICRO = 1000;

/**
 * CPU time of a process so far, user and system, in microseconds. Counts its present threads, and no threads that have
 * ended. Unlike the ticks of `/proc/PID/stat` it has no steps of 10 ms, which can be a tenth of a window.
 */
export function cpuMicros(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanos = threads.map((tid) => threadNanos(`/proc/${pid}/task/${tid}`));
  return nanos.reduce((sum, one) => sum + one, 0) / NANOS_PER_MICRO;
}

function threadNanos(folder: string): number {
  try {
    return runNanos(readFileSync(join(folder, 'schedstat'), 'latin1'));
  } catch (error) {
    // The thread has ended since the list was read. The list shows when a process has no threads left.
    if (isGone(error)) return 0;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}

/** Resident memory of a process now, in bytes. */
export function rssBytes(pid: number): number {
  return residentBytes(readFileSync(`/proc/${pid}/status`, 'latin1'), 'VmRSS');
}

/** The most resident memory that a process has had so far, in bytes. */
export function peakRssBytes(pid: number): number {
  return residentBytes(readFileSync(`/proc/${pid}/status`, 'latin1'), 'VmHWM');
}
