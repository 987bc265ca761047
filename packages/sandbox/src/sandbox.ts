import type { SandboxSettings } from './settings.js';

/** A program that a sandbox starts, with its complete environment. */
export interface SandboxedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/** A program that starts another program, confined. */
export interface Confined {
  readonly program: SandboxedProgram;
  /** The program that confines it, such as `bubblewrap`. */
  readonly by: string;
  /**
   * True if the started process only watches over the confined one, and ends it when it is signalled itself. SIGTERM
   * must then go to the confined processes alone.
   */
  readonly isWatched: boolean;
  /** Returns what the sandbox has refused according to the program's stderr, and the line that allows it. */
  readonly explain: (stderr: readonly string[]) => string | undefined;
}

/** Confines the programs of servers. */
export interface Sandbox {
  /**
   * Returns the program that starts another one confined.
   *
   * @throws Error if it cannot be confined, with the reason and what to do: the program must then not be started
   */
  confine(program: SandboxedProgram, settings: SandboxSettings): Promise<Confined>;
}
