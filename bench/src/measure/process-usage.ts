import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

import { cpuTicks, residentBytes } from './proc-files.js';

const MICROS_PER_SECOND = 1_000_000;

let microsPerTick: number | undefined;

/** CPU time of a process so far, user and system, all threads, in microseconds. Its step is a clock tick: 10 ms. */
export function cpuMicros(pid: number): number {
  microsPerTick ??= MICROS_PER_SECOND / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return cpuTicks(readFileSync(`/proc/${pid}/stat`, 'latin1')) * microsPerTick;
}

/** Resident memory of a process now, in bytes. */
export function rssBytes(pid: number): number {
  return residentBytes(readFileSync(`/proc/${pid}/status`, 'latin1'), 'VmRSS');
}

/** The most resident memory that a process has had so far, in bytes. */
export function peakRssBytes(pid: number): number {
  return residentBytes(readFileSync(`/proc/${pid}/status`, 'latin1'), 'VmHWM');
}
