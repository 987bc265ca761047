import type { ClientPolicy } from './client-policy.js';
import type { SandboxSettings } from './settings.js';

/** A program to start in a sandbox, with its complete environment. */
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
   * True if the started process only supervises the confined process and ends it on any signal. In that case, SIGTERM
   * must be sent only to the confined processes.
   */
  readonly isWatched: boolean;
  /** Finds access denials in the program's stderr, and returns each with the setting that would allow the access. */
  readonly explain: (stderr: readonly string[]) => string | undefined;
}

/** Confines server programs. */
export interface Sandbox {
  /**
   * Returns the program that starts another program in the sandbox.
   *
   * @param policy the sandbox of the client, for a server with `follow`. The program gets no right beyond this sandbox.
   * @throws Error if the program cannot be confined, with the reason and the remedy. It must then not be started.
   */
  confine(program: SandboxedProgram, settings: SandboxSettings, policy?: ClientPolicy): Promise<Confined>;
}
