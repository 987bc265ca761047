import type { SandboxProgram } from './sandbox-threads.js';

/** The file that the sandbox threads run. A bundler can replace this module to embed the file's text. */
export const SANDBOX_PROGRAM: SandboxProgram = new URL('./code-worker.cjs', import.meta.url);
