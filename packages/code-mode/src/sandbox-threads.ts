import { Worker } from 'node:worker_threads';

import type { FromSandbox, SandboxInput } from './sandbox-messages.js';

/** Memory of a thread beside that of the code: QuickJS itself, and texts on their way. */
const THREAD_MB = 96;

/** The program of the thread: a file, or the text of a CommonJS module. */
export type SandboxProgram = URL | { readonly text: string };

/** Starts a thread for each run. The first one compiles the interpreter; all later ones get it from here. */
export class SandboxThreads {
  private interpreter: WebAssembly.Module | undefined;

  constructor(private readonly program: SandboxProgram) {}

  /** Nothing of the process is passed on: no environment, no options, no standard streams. */
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
      resourceLimits: { maxOldGenerationSizeMb: THREAD_MB, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    thread.on('message', (message: FromSandbox) => {
      if (message.kind === 'compiled') this.interpreter = message.interpreter;
    });
    return thread;
  }
}
