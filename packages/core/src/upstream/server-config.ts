/** How to run one server over stdio. What `add_server` takes and `reload_server` keeps. */
export interface ServerConfig {
  /** A program on the PATH, or a path. No shell is involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Merged over the environment that mcpmux itself was given. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory of the process; that of mcpmux when absent. */
  readonly cwd?: string;
}
