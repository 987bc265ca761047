/** The command and environment of a server process. */
export interface ProcessSpec {
  /** A program on the PATH of the server's own environment, or a path. No shell is involved. */
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment of the process. */
  readonly env: NodeJS.ProcessEnv;
  /** The working directory. If absent, the process starts in the working directory of mcpmux. */
  readonly cwd?: string | undefined;
  /** True if `args` are already quoted for Windows, and `spawn` must pass them on as they are. */
  readonly windowsVerbatimArguments?: boolean | undefined;
}
