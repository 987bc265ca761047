import { readdir, readFile } from 'node:fs/promises';

import { MARKER_VARIABLE } from './environment.js';

/**
 * Kills every process with `marker` in its environment: descendants that left the process group, for example by
 * `setsid`.
 *
 * Works only on Linux, because other systems hide a process's environment. A process that has cleared its environment
 * is not found.
 * @returns the ids of the processes that were killed
 */
export async function killMarkedProcesses(marker: string, procRoot = '/proc'): Promise<readonly number[]> {
  const entries = await readdir(procRoot).catch(() => []);
  const pids = entries.filter((entry) => /^\d+$/.test(entry)).map(Number);
  const isMarked = await Promise.all(pids.map((pid) => hasMarker(pid, marker, procRoot)));
  return pids.filter((pid, index) => isMarked[index] && pid !== process.pid && kill(pid));
}

async function hasMarker(pid: number, marker: string, procRoot: string): Promise<boolean> {
  // An unreadable file means that the process has ended or belongs to another user, so it counts as unmarked.
  const environment = await readFile(`${procRoot}/${pid}/environ`, 'latin1').catch(() => '');
  return environment.split('\0').includes(`${MARKER_VARIABLE}=${marker}`);
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    // The process has already ended, or mcpmux may not signal it.
    return false;
  }
}
