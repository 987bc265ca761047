/** The command and environment of a server process. */
export interface ProcessSpec {
  /** A program on the PATH of the server's own environment, or a path. No shell is involved. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** The working directory. When absent, the process starts in the working directory of mcpmux. */
  readonly cwd?: string | undefined;
}

/** The exit of a process. Exactly one of the two fields is null. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}
