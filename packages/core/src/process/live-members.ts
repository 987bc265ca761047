import { readdirSync, readFileSync } from 'node:fs';

/** `pid (name) state ppid pgrp …`. The name may contain any character, including brackets. */
const STATE_AND_GROUP = /^.*\) (\S) \d+ (\d+) /s;
/** The states of a process that has ended and that its parent has not reaped yet. */
const ENDED = new Set(['Z', 'X']);

/**
 * True if a process of a group runs, according to /proc. Zombies do not count: if their parent does not reap them (in a
 * container without an init), they stay in the group for ever.
 *
 * @returns undefined if /proc has no entry for the group: on other systems, and in another process namespace
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
    // The process ended before its file was read.
    return [];
  }
}
