import { rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

import { errorCodeOf } from '@mcpmux/core';

import { readFileText } from '../base/file-text.js';
import { tryCreateFile } from './exclusive-file.js';
import { makeFolder } from './make-folder.js';
import { resolveLinks } from './real-file.js';

/** The time limits for a lock. */
export interface LockTimeLimits {
  /** How long to wait for a lock, in milliseconds. */
  readonly waitMs: number;
  /** The age at which a lock counts as abandoned, in milliseconds. No lock is held during a user prompt. */
  readonly staleMs: number;
}

/** Thrown if another process still holds the lock after `waitMs`. */
export class FileLockedError extends Error {
  override readonly name = 'FileLockedError';

  constructor(readonly lock: string) {
    super(`${lock} is held by another process`);
  }
}

const DEFAULT_TIME_LIMITS: LockTimeLimits = { waitMs: 10_000, staleMs: 10_000 };
const MAX_PAUSE_MS = 25;

/**
 * Runs `work` while holding a file's lock, so that no other mcpmux changes the file in the meantime.
 *
 * @throws FileLockedError, or a file system error if the lock cannot be created next to the file
 */
export async function withFileLock<Result>(
  file: string,
  work: () => Result | Promise<Result>,
  timeLimits: LockTimeLimits = DEFAULT_TIME_LIMITS,
): Promise<Result> {
  const target = resolveLinks(file);
  if (target === file) makeFolder(dirname(target));
  const lock = `${target}.lock`;
  const owner = `${process.pid} ${hostname()} ${crypto.randomUUID()}`;
  const deadline = Date.now() + timeLimits.waitMs;
  while (!tryLock(lock, owner, timeLimits.staleMs)) {
    if (Date.now() > deadline) throw new FileLockedError(lock);
    await setTimeout(1 + Math.random() * MAX_PAUSE_MS);
  }
  try {
    return await work();
  } finally {
    if (ownerOf(lock) === owner) rmSync(lock, { force: true });
  }
}

function tryLock(lock: string, owner: string, staleMs: number): boolean {
  if (tryCreateFile(lock, owner)) return true;
  const previousOwner = ownerOf(lock);
  if (!isAbandoned(lock, previousOwner, staleMs)) return false;
  // A second lock ensures that only one process removes the abandoned lock. That process checks the owner again,
  // because another process may have acquired the lock in the meantime.
  const cleanupLock = `${lock}.stale`;
  if (!tryCreateFile(cleanupLock, owner)) {
    if (ageMsOf(cleanupLock) > staleMs) rmSync(cleanupLock, { force: true });
    return false;
  }
  if (ownerOf(lock) === previousOwner) rmSync(lock, { force: true });
  rmSync(cleanupLock, { force: true });
  return tryCreateFile(lock, owner);
}

/** True if the lock is too old, or if its owner was a process on this machine that has ended. */
function isAbandoned(lock: string, owner: string, staleMs: number): boolean {
  if (ageMsOf(lock) > staleMs) return true;
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

/** Returns a lock's owner, or an empty string if the lock was just removed or its owner is not written yet. */
function ownerOf(lock: string): string {
  return readFileText(lock) ?? '';
}

function ageMsOf(file: string): number {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
