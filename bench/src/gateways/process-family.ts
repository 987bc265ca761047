import { readdirSync, readFileSync } from 'node:fs';

import { cpuMicros } from '../measure/process-usage.js';
import { contextSwitches, proportionalBytes } from '../measure/proc-files.js';
import { programPath } from '../program-path.js';

/** The processes of a gateway, without and with the servers behind it. */
export interface Family {
  readonly gateway: readonly number[];
  readonly servers: readonly number[];
}

const SERVER = programPath('echo-server');

/** The variable that every process of a gateway inherits. */
export const MARK = 'MCPMUX_BENCH_GATEWAY';

/** Finds processes by the mark in their environment, and servers, whose environment a gateway may replace, by their arguments. */
export function familyOf(mark: string): Family {
  const gateway: number[] = [];
  const servers: number[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = textOf(`/proc/${pid}/cmdline`).split('\0');
    if (command[1] === SERVER && command.includes(`--tag=${mark}`)) servers.push(Number(pid));
    else if (textOf(`/proc/${pid}/environ`).split('\0').includes(`${MARK}=${mark}`))
      gateway.push(Number(pid));
  }
  return { gateway, servers };
}

/** The memory of processes in bytes; what they share counts once. */
export function memoryOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) => proportionalBytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')));
}

/** CPU time of processes so far, in microseconds. */
export function cpuOf(pids: readonly number[]): number {
  return sumOf(pids, cpuMicros);
}

/** How often threads of processes were put on a processor so far. */
export function wakeUpsOf(pids: readonly number[]): number {
  return sumOf(pids, (pid) =>
    sumOf(readdirSync(`/proc/${pid}/task`).map(Number), (tid) =>
      contextSwitches(readFileSync(`/proc/${pid}/task/${tid}/status`, 'latin1')),
    ),
  );
}

/** A process or thread that has ended meanwhile counts nothing. */
function sumOf(ids: readonly number[], of: (id: number) => number): number {
  return ids.reduce((sum, id) => {
    try {
      return sum + of(id);
    } catch {
      return sum;
    }
  }, 0);
}

/** Empty for a process that has ended or that belongs to another user. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
