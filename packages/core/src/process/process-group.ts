import { spawn } from 'node:child_process';

import { errorCodeOf } from '@mcpmux/kit';

import { hasLiveMember } from './live-members.js';

/**
 * A server's process and everything it started that stayed in its group.
 *
 * On POSIX the leader was started in a group of its own (`detached`), so one signal reaches a whole `npx` tree.
 * Windows has no groups; `taskkill /T` walks the tree instead, and only while the leader is alive.
 */
export interface ProcessGroup {
  /** Sends a signal to every process of the group. A group that is gone is no error. */
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** True while any process of the group runs. One that has ended and is not reaped does not count, where that is known. */
  isAlive(): boolean;
}

/** The group led by `leader`, a process id. */
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
  // Already gone, or no such program: isAlive tells.
  program.on('error', () => undefined);
}

/** False only for "no such process": lacking the permission means that something is there. */
function trySignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return errorCodeOf(error) !== 'ESRCH';
  }
}
