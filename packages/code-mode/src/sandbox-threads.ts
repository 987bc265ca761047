import { Worker } from 'node:worker_threads';

import type { FromSandbox, SandboxInput } from './sandbox-messages.js';

/** Memory of a thread in addition to the code's, in megabytes: for QuickJS itself and for strings in transit. */
const THREAD_MEMORY_MB = 96;

/** The program of the thread: a file, or the text of a CommonJS module. */
export type SandboxProgram = URL | { readonly text: string };

/** Starts a thread for each run. The first thread compiles the interpreter, and all later threads reuse the result. */
export class SandboxThreads {
  private interpreter: WebAssembly.Module | undefined;

  constructor(private readonly program: SandboxProgram) {}

  /** Starts a thread. It inherits none of the process's environment, options or standard streams. */
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
