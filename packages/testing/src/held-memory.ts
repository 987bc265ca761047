import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns the size of all reachable buffers of the process, in bytes. */
export function measureHeldBufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Returns the size of all reachable objects of the process, in bytes. */
export function measureHeldHeapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this engine has no gc function');
  collect();
  // Another thread frees the buffers. The next collection waits for that thread.
  collect();
}
