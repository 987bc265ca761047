import { Worker } from 'node:worker_threads';

import type { FromSandbox, SandboxInput } from './sandbox-messages.js';

/** Limit on a thread's JavaScript heap, in megabytes. The memory of QuickJS is separate, with its own limit. */
const THREAD_MEMORY_MB = 96;

/** The program that a sandbox thread runs: a file, or the source text of a CommonJS module. */
export type SandboxProgram = URL | { readonly text: string };

/** Starts a thread for each run. Once a thread has compiled the interpreter, new threads reuse the result. */
export class SandboxThreads {
  private interpreter: WebAssembly.Module | undefined;

  constructor(private readonly program: SandboxProgram) {}

  /** Starts a thread that inherits none of the process's environment, options or standard streams. */
  start(input: SandboxInput): Worker {
    const { program, interpreter } = this;
    const isFile = program instanceof URL;
    const thread = new Worker(isFile ? program : program.text, {
      eval: !isFile,
      workerData: { ...input, interpreter },
      env: {},
      argv: [],
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MB,
        maxYoungGenerationSizeMb: 16,
        stackSizeMb: 4,
      },
    });
    thread.on('message', (message: FromSandbox) => {
      if (message.kind === 'compiled') this.interpreter = message.interpreter;
    });
    return thread;
  }
}
