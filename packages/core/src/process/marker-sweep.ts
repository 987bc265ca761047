import { readdir, readFile } from 'node:fs/promises';

import { MARKER_VARIABLE } from './environment.js';

/**
 * Kills every process that carries `marker` in its environment: descendants that left the process group (`setsid`).
 *
 * Linux only; elsewhere there is no way to read another process's environment, and it finds nothing. A process that
 * cleared its environment is not found either.
 *
 * @returns the ids of the processes that were killed
 */
export async function sweepMarked(marker: string, procRoot = '/proc'): Promise<readonly number[]> {
  const entries = await readdir(procRoot).catch(() => []);
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const isMarked = await Promise.all(pids.map((pid) => carries(pid, marker, procRoot)));
  return pids.filter((pid, index) => isMarked[index] && pid !== process.pid && kill(pid));
}

async function carries(pid: number, marker: string, procRoot: string): Promise<boolean> {
  // Gone meanwhile, or somebody else's: neither is ours to kill.
  const environment = await readFile(`${procRoot}/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(`${MARKER_VARIABLE}=${marker}`);
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // It died between the look and the blow.
    return false;
  }
}
