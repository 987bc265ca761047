import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** A spawn briefly needs eight descriptors and keeps three. The rest is a margin for what mcpmux opens meanwhile. */
const REQUIRED_FREE_DESCRIPTORS = 16;

/**
 * Throws the operating system's error (`EMFILE`, `ENFILE`) if too few file descriptors are left to start a process.
 *
 * Call this before each spawn. If Node.js runs out of descriptors during a spawn, it leaks the pipes that it has
 * opened. After such a leak, no process can be started, even after other processes have ended.
 */
export function assertFreeDescriptors(open = (path: string): number => openSync(path, 'r')): void {
  const descriptors: number[] = [];
  try {
    while (descriptors.length < REQUIRED_FREE_DESCRIPTORS) descriptors.push(open(devNull));
  } finally {
    for (const descriptor of descriptors) closeSync(descriptor);
  }
}
