import type { SandboxProgram } from './sandbox-threads.js';

/** The program of the thread, as a file of this package. A bundle of the package can have its text in place of this module. */
export const SANDBOX_PROGRAM: SandboxProgram = new URL('./code-worker.cjs', import.meta.url);
