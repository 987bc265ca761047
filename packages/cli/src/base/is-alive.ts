import process from 'node:process';

/** True if a process of this user has not ended. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
