import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import process from 'node:process';

import { machineTicks } from './proc-files.js';

/** The machine of a run. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
  /** Load average of the minute before the run: above 0.5, others were at work. */
  readonly loadBefore: number;
  readonly date: string;
}

/** Describes this machine, now. */
export function describeMachine(): Machine {
  const all = cpus();
  return {
    cpu: all[0]?.model ?? 'unknown',
    cores: all.length,
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    loadBefore: loadavg()[0] ?? Number.NaN,
    date: new Date().toISOString().slice(0, 10),
  };
}

/**
 * Starts to watch for time that the hypervisor gives to others. Returns what tells the share of it since then, of the time
 * of all processors: where that is not nearly 0, windows were cut short at random.
 */
export function watchStolenTime(): () => number {
  const read = (): ReturnType<typeof machineTicks> => machineTicks(readFileSync('/proc/stat', 'latin1'));
  const before = read();
  return () => {
    const { total, stolen } = read();
    return total === before.total ? 0 : (stolen - before.stolen) / (total - before.total);
  };
}
