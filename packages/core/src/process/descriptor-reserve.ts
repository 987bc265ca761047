import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * The number of descriptors that must be free. A spawn briefly opens eight and keeps three, and mcpmux may open others
 * at the same time.
 */
const RESERVE = 16;

/**
 * Throws the operating system's error (`EMFILE`, `ENFILE`) if too few file descriptors are left to start a process.
 *
 * Call it before each spawn. If Node.js runs out of descriptors during a spawn, it leaks the pipes that it has opened.
 * No process can then be started, even after other processes have ended.
 */
export function checkDescriptors(open = (path: string): number => openSync(path, 'r')): void {
  const descriptors: number[] = [];
  try {
    while (descriptors.length < RESERVE) descriptors.push(open(devNull));
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}
