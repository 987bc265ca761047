/** How to start a server as a process. */
export interface ProcessSpec {
  /** A program on the PATH of the server's own environment, or a path. No shell is involved. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** Working directory; that of mcpmux when absent. */
  readonly cwd?: string | undefined;
}

/** How a process ended: exactly one of the two is not null. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}
