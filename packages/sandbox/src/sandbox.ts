import type { ClientPolicy } from './client-policy.js';
import type { SandboxSettings } from './settings.js';

/** A program that a sandbox starts, with its complete environment. */
export interface SandboxedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
}

/** A program that starts another program in a sandbox. */
export interface Confined {
  readonly program: SandboxedProgram;
  /** The name of the confining program, such as `bubblewrap`. */
  readonly by: string;
  /** The client's sandbox that limits the program. If it is not the requested one, the program must not be started. */
  readonly policy?: ClientPolicy | undefined;
  /**
   * True if the started process only watches the confined process, and ends it after a signal. SIGTERM must then be
   * sent only to the confined processes.
   */
  readonly isWatched: boolean;
  /** Returns the refusals that the program's stderr shows, with the setting that would allow them. */
  readonly explain: (stderr: readonly string[]) => string | undefined;
}

/** Confines the programs of servers. */
export interface Sandbox {
  /**
   * Returns the program that starts another program in the sandbox.
   *
   * @param policy the sandbox of the client, for a server with `follow`. The program gets no right beyond this sandbox.
   * @throws Error if the program cannot be confined, with the reason and the remedy. It must then not be started.
   */
  confine(program: SandboxedProgram, settings: SandboxSettings, policy?: ClientPolicy): Promise<Confined>;
}
