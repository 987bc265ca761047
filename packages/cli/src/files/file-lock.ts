import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { makeFolder } from './make-folder.js';
import { realFile } from './real-file.js';

/** How long a file is waited for. */
export interface LockTimes {
  /** After so many milliseconds the wait is given up. */
  readonly waitMs: number;
  /** A lock that is older, in milliseconds, was left behind: nobody holds one while a person is asked. */
  readonly staleMs: number;
}

/** Somebody else holds the file for longer than one waits. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';

  constructor(readonly lock: string) {
    super(`${lock} is held by another process`);
  }
}

const TIMES: LockTimes = { waitMs: 10_000, staleMs: 10_000 };
const MOST_PAUSE_MS = 25;

/**
 * Does something to a file while no other mcpmux changes it. What is read of it before is what is changed then.
 *
 * @throws FileLockedError, and the error of the file system when the lock cannot be written next to the file
 */
export async function withFileLock<Result>(
  file: string,
  work: () => Result | Promise<Result>,
  times: LockTimes = TIMES,
): Promise<Result> {
  const target = realFile(file);
  if (target === file) makeFolder(dirname(target));
  const lock = `${target}.lock`;
  const owner = `${process.pid} ${hostname()} ${crypto.randomUUID()}`;
  const end = Date.now() + times.waitMs;
  while (!taken(lock, owner, times.staleMs)) {
    if (Date.now() > end) throw new FileLockedError(lock);
    await setTimeout(1 + Math.random() * MOST_PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    if (ownerOf(lock) === owner) rmSync(lock, { force: true });
  }
}

function taken(lock: string, owner: string, staleMs: number): boolean {
  if (isMade(lock, owner)) return true;
  const last = ownerOf(lock);
  if (!isLeft(lock, last, staleMs)) return false;
  // One at a time clears away, and looks again: another may have done so, and hold the lock by now.
  const broom = `${lock}.stale`;
  if (!isMade(broom, owner)) {
    if (ageOf(broom) > staleMs) rmSync(broom, { force: true });
    return false;
  }
  if (ownerOf(lock) === last) rmSync(lock, { force: true });
  rmSync(broom, { force: true });
  return isMade(lock, owner);
}

function isMade(file: string, owner: string): boolean {
  try {
    writeFileSync(file, owner, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Of a process of this machine that has ended, or too old. */
function isLeft(lock: string, owner: string, staleMs: number): boolean {
  if (ageOf(lock) > staleMs) return true;
  const [pid, host] = owner.split(' ');
  return host === hostname() && hasEnded(Number(pid));
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** Empty for a lock that has just gone, or is just being written. */
function ownerOf(lock: string): string {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return '';
  }
}

function ageOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
