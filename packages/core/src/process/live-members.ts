import { readdirSync, readFileSync } from 'node:fs';

/** `pid (name) state ppid pgrp …`; the name may hold anything, also brackets. */
const STATE_AND_GROUP = /^.*\) (\S) \d+ (\d+) /s;
/** Of a process that has ended and waits for somebody to take note of it. */
const ENDED = new Set(['Z', 'X']);

/**
 * True if a process of a group runs, according to /proc. A zombie that its parent does not reap (a container without an
 * init) stays in its group for ever and does not count.
 *
 * @returns undefined where /proc knows nothing of the group: on other systems, and in another process namespace
 */
export function hasLiveMember(group: number, procRoot = '/proc'): boolean | undefined {
  const states = processIds(procRoot).flatMap((pid) => stateInGroup(pid, group, procRoot));
  return states.length === 0 ? undefined : states.some((state) => !ENDED.has(state));
}

function processIds(procRoot: string): readonly string[] {
  try {
    return readdirSync(procRoot).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function stateInGroup(pid: string, group: number, procRoot: string): readonly string[] {
  try {
    const [, state, pgrp] = STATE_AND_GROUP.exec(readFileSync(`${procRoot}/${pid}/stat`, 'latin1')) ?? [];
    return state !== undefined && Number(pgrp) === group ? [state] : [];
  } catch {
    // It ended between the look and the reading.
    return [];
  }
}
