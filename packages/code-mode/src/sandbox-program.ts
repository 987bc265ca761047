import type { SandboxProgram } from './sandbox-threads.js';

/** The sandbox thread's program, a file of this package. A bundler can replace this module to embed the file's text. */
export const SANDBOX_PROGRAM: SandboxProgram = new URL('./code-worker.cjs', import.meta.url);
