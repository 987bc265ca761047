import { spawn } from 'node:child_process';

import { errorCodeOf } from '@mcpmux/kit';

import { hasLiveMember } from './live-members.js';

/**
 * A server's process, and all processes that it started and that stayed in its group.
 *
 * On POSIX systems the leader was started in its own group (`detached`), so one signal reaches a whole `npx` tree.
 * Windows has no groups. There `taskkill /T` walks the tree, but only while the leader runs.
 */
export interface ProcessGroup {
  /** Sends a signal to every process of the group. Does nothing if the group has ended. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /**
   * True while a process of the group runs. Where /proc shows them, processes that have ended but are not reaped do not
   * count.
   */
  isAlive(): boolean;
}

/** Returns the group led by `leader`, a process id. */
export function processGroup(
  leader: number,
  platform: NodeJS.Platform = process.platform,
  run = runSilently,
): ProcessGroup {
  if (platform === 'win32')
    return {
      signal: () => run('taskkill', ['/PID', String(leader), '/T', '/F']),
      isAlive: () => trySignal(leader, 0),
    };
  return {
    signal: (signal) => void trySignal(-leader, signal),
    isAlive: () => trySignal(-leader, 0) && hasLiveMember(leader) !== false,
  };
}

function runSilently(command: string, args: readonly string[]): void {
  const program = spawn(command, args, { stdio: 'ignore', windowsHide: true });
  // The process has already ended, or taskkill does not exist. `isAlive` shows the result.
  program.on('error', () => undefined);
}

/** Returns false only for "no such process". If the permission is missing, the process exists. */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}
