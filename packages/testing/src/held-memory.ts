import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the total size of the process's reachable buffers, in bytes. */
export function measureHeldBufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Returns the total size of the process's reachable objects, in bytes. */
export function measureHeldHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this engine has no gc function');
  collect();
  // Another thread frees the buffers. A second collection waits for that thread.
  collect();
}
