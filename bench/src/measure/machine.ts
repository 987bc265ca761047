import { cpus, loadavg, release, totalmem } from 'node:os';
import process from 'node:process';

/** What a run ran on. */
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
