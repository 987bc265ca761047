import { readdirSync, readFileSync } from 'node:fs';

/** What /proc says of a process; empty when there is none. */
function read(pid: number | string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** The processes whose environment holds this variable with this value. */
export function processesWith(variable: string, value: string): readonly number[] {
  return pids().filter((pid) => read(pid, 'environ').split('\0').includes(`${variable}=${value}`));
}

/** Whether a process runs a program with this word in its command line. */
export function runsWith(pid: number, word: string): boolean {
  return runs(pid) && read(pid, 'cmdline').split('\0').includes(word);
}

/** The children of a process that have ended and were not reaped. */
export function zombiesOf(parent: number): readonly number[] {
  return pids().filter((pid) => {
    const [, state, ppid] = /^.*\) (\S) (\d+) /s.exec(read(pid, 'stat')) ?? [];
    return state === 'Z' && Number(ppid) === parent;
  });
}

/** How many file descriptors a process has open. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The memory of a process in megabytes: now, and at the highest moment. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = read(pid, 'status');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** True while the process exists and has not ended. */
export function runs(pid: number): boolean {
  const state = /^.*\) (\S) /s.exec(read(pid, 'stat'))?.[1];
  return state !== undefined && state !== 'Z';
}
