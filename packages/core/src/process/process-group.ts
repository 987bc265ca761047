import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

import { errorCodeOf } from '@mcpmux/kit';
import { systemProgram } from '@mcpmux/programs';

/**
 * A server's process and the descendants that stayed in its process group.
 *
 * On POSIX systems the leader was started in its own group (`detached`), so one signal reaches a whole `npx` tree. On
 * Windows, which has no groups, `taskkill /T` ends the tree, but only while the leader runs. If `taskkill` fails, only
 * the leader is killed, and the guard ends the descendants.
 */
export interface ProcessGroup {
  /** Signals every process of the group. On Windows, both signals kill. Does nothing if the group has ended. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** True while a process of the group runs. Where /proc is available, zombies do not count. */
  isAlive(): boolean;
}

/** Returns the group whose leader has the process id `leaderPid`. */
export function processGroup(
  leaderPid: number,
  platform: NodeJS.Platform = process.platform,
  runProgram = runSilently,
): ProcessGroup {
  if (platform === 'win32')
    return {
      signal: () =>
        runProgram(
          systemProgram(process.env, 'taskkill.exe'),
          ['/PID', String(leaderPid), '/T', '/F'],
          () => void trySignal(leaderPid, 'SIGKILL'),
        ),
      isAlive: () => trySignal(leaderPid, 0),
    };
  return {
    signal: (signal) => void trySignal(-leaderPid, signal),
    isAlive: () => trySignal(-leaderPid, 0) && hasLiveMember(leaderPid) !== false,
  };
}

/**
 * Returns a group whose leader supervises the other processes, as bubblewrap does. SIGTERM skips the leader: it would
 * exit immediately, and the kernel would then kill the others without a grace period.
 */
export function supervisedGroup(
  leaderPid: number,
  procRoot = '/proc',
  sendSignal: (pid: number, signal: 'SIGTERM') => void = trySignal,
): ProcessGroup {
  const group = processGroup(leaderPid);
  return {
    ...group,
    signal: (signal) => {
      if (signal === 'SIGKILL') return group.signal(signal);
      for (const pid of processIds(procRoot)) {
        if (Number(pid) !== leaderPid && stateInGroup(pid, leaderPid, procRoot).length > 0)
          sendSignal(Number(pid), signal);
      }
    },
  };
}

function runSilently(command: string, args: readonly string[], failed: () => void): void {
  // `taskkill` must outlive mcpmux. Without `detached`, libuv puts it into a job object that ends with mcpmux.
  const program = spawn(command, args, { stdio: 'ignore', windowsHide: true, detached: true });
  program.on('error', failed);
  program.on('exit', (code) => {
    if (code !== 0) failed();
  });
}

/** Returns false only if no such process exists (ESRCH). Returns true if mcpmux may not signal the process (EPERM). */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}

/** Matches the start of `/proc/PID/stat`: `pid (name) state ppid pgrp …`. The name may contain anything, even `)`. */
const PROCESS_STAT = /^.*\) (\S) \d+ (\d+) /s;
/** The states of a process that has ended but has not been reaped. */
const ENDED_STATES = new Set(['Z', 'X']);

/**
 * True if /proc shows a running process of the group. Zombies do not count: without a parent that reaps them (as in a
 * container without an init), they stay in the group forever.
 *
 * @returns undefined if /proc has no entry for the group: on other systems, and for a group in another PID namespace
 */
export function hasLiveMember(group: number, procRoot = '/proc'): boolean | undefined {
  const states = processIds(procRoot).flatMap((pid) => stateInGroup(pid, group, procRoot));
  return states.length === 0 ? undefined : states.some((state) => !ENDED_STATES.has(state));
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
    const [, state, pgrp] = PROCESS_STAT.exec(readFileSync(`${procRoot}/${pid}/stat`, 'latin1')) ?? [];
    return state !== undefined && Number(pgrp) === group ? [state] : [];
  } catch {
    // The process ended before its file was read.
    return [];
  }
}
