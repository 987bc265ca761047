import { isWithin } from './paths.js';

/** The access of a confined server to a path, and to the paths below it. */
export type Sight = 'writable' | 'read-only' | 'hidden' | 'empty';

/** The error for a server that cannot be confined and is not started. The message describes what to change. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
}

/** Kernel folders. A rule for them, or for `/`, would replace the mounts of the sandbox itself. */
const KERNEL_FOLDERS = ['/proc', '/dev'];

/** True for a path for which a sandbox cannot have a rule. */
export function isKernelPath(path: string): boolean {
  return path === '/' || KERNEL_FOLDERS.some((folder) => isWithin(path, folder));
}
