import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** A spawn takes eight for a moment and keeps three; the others are for whatever else goes on meanwhile. */
const RESERVE = 16;

/**
 * Throws what the operating system says (`EMFILE`, `ENFILE`) when it has too few file descriptors left for a process.
 *
 * Asked before the spawn: when Node.js finds out in the middle of one, it keeps the pipes that it has opened for ever,
 * and no process can be started any more even after others have ended.
 */
export function checkDescriptors(open = (path: string): number => openSync(path, 'r')): void {
  const taken: number[] = [];
  try {
    while (taken.length < RESERVE) taken.push(open(devNull));
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}
