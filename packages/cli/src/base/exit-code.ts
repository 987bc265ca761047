/** Exit codes of the `mcpmux` command. After a signal, the exit code is 128 plus the signal number. */
export const ExitCode = {
  /** The client closed the connection, or the command succeeded. */
  Ok: 0,
  /** The command failed for a reason without a specific exit code. */
  Failed: 1,
  /** The command line or the config is invalid. */
  Usage: 2,
  /** A server did not start, or no running mcpmux can be reached. */
  Unreachable: 4,
  /** The tool was called and reported an error. */
  ToolError: 5,
  /** The server, tool, config, client or file does not exist. */
  NotFound: 6,
  /** The user declined at a prompt, or no terminal was available for the prompt. */
  Refused: 7,
  /** The user pressed Ctrl-C at a prompt. */
  Interrupted: 130,
  /** A bug in mcpmux. */
  Internal: 70,
} as const;
