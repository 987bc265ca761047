import { isWithin } from './paths.js';

/** A confined server's access to a path and to all paths below it. */
export type Sight = 'writable' | 'read-only' | 'hidden' | 'empty';

/** Thrown if a server cannot be confined, in which case it is not started. The message describes how to fix this. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** Kernel folders. A rule for one of them, or for `/`, would replace the sandbox's own mounts. */
const KERNEL_FOLDERS = ['/proc', '/dev'];

/** True for a path for which a sandbox cannot have a rule. */
export function isKernelPath(path: string): boolean {
  return path === '/' || KERNEL_FOLDERS.some((folder) => isWithin(path, folder));
}
