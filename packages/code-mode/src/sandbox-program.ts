import type { SandboxProgram } from './sandbox-threads.js';

/** The program of the thread, a file of this package. A bundle can replace this module with the file's text. */
export const SANDBOX_PROGRAM: SandboxProgram = new URL('./code-worker.cjs', import.meta.url);
