import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * The number of descriptors that must be free. A spawn opens eight for a moment and keeps three; mcpmux may open others
 * at the same time.
 */
const RESERVE = 16;

/**
 * Throws the operating system's error (`EMFILE`, `ENFILE`) if too few file descriptors are left to start a process.
 *
 * Call it before the spawn: if Node.js runs out of descriptors during a spawn, it never closes the pipes that it has
 * opened. Then no process can be started, even after others have ended.
 */
export function checkDescriptors(open = (path: string): number => openSync(path, 'r')): void {
  const taken: number[] = [];
  try {
    while (taken.length < RESERVE) taken.push(open(devNull));
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}
