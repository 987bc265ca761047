import process from 'node:process';

/** True if this user has a running process with this id. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
