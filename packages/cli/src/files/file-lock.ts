import { rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { errorCodeOf } from '@mcpmux/core';

import { fileText } from '../base/file-text.js';
import { isMade } from './exclusive-file.js';
import { makeFolder } from './make-folder.js';
import { realFile } from './real-file.js';

/** The time limits of a lock. */
export interface LockTimes {
  /** The longest wait for a lock, in milliseconds. */
  readonly waitMs: number;
  /**
   * The age, in milliseconds, above which a lock is treated as abandoned. No command holds a lock while it asks a
   * person.
   */
  readonly staleMs: number;
}

/** Another process has held the lock for longer than `waitMs`. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';

  constructor(readonly lock: string) {
    super(`${lock} is held by another process`);
  }
}

const TIMES: LockTimes = { waitMs: 10_000, staleMs: 10_000 };
const MOST_PAUSE_MS = 25;

/**
 * Runs `work` while no other mcpmux changes a file. The file stays the same between a read and a write in `work`.
 *
 * @throws FileLockedError, and the error of the file system if the lock cannot be written next to the file
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
  // Only one process at a time removes the lock. It checks the lock again, because another process may have taken it in
  // the meantime.
  const broom = `${lock}.stale`;
  if (!isMade(broom, owner)) {
    if (ageOf(broom) > staleMs) rmSync(broom, { force: true });
    return false;
  }
  if (ownerOf(lock) === last) rmSync(lock, { force: true });
  rmSync(broom, { force: true });
  return isMade(lock, owner);
}

/** True if the lock is too old, or the process that took it on this machine has ended. */
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
    return errorCodeOf(error) === 'ESRCH';
  }
}

/** Returns the owner of a lock. Empty if the lock was just removed, or is being written. */
function ownerOf(lock: string): string {
  return fileText(lock) ?? '';
}

function ageOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
