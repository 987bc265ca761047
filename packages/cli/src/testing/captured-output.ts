import process from 'node:process';

import { vi } from 'vitest';

import { runProgram } from '../program/program.js';

/** What this process prints instead of printing it, until it is disposed of. */
export class CapturedOutput implements Disposable {
  stdout = '';
  stderr = '';
  private readonly listeners = new Set(process.stdout.listeners('error'));

  constructor() {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => (this.stdout += String(text)).length > 0);
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => (this.stderr += String(text)).length > 0);
  }

  [Symbol.dispose](): void {
    vi.restoreAllMocks();
    for (const listener of process.stdout.listeners('error')) {
      // Those of the commands that ran.
      if (!this.listeners.has(listener)) process.stdout.off('error', listener as () => void);
    }
  }
}

/** How a command line that was run in this process ended. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process. */
export async function ran(...args: readonly string[]): Promise<Ran> {
  using output = new CapturedOutput();
  const code = await runProgram(args);
  return { code, stdout: output.stdout, stderr: output.stderr };
}
