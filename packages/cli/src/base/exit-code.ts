/** Exit codes of the `mcpmux` command. After a signal it is 128 plus the signal's number. */
export const ExitCode = {
  /** The client has closed the connection, or the command did what it was asked. */
  Ok: 0,
  /** What was asked failed for a reason that has no code of its own. */
  Failed: 1,
  /** The command line or the config makes no sense. */
  Usage: 2,
  /** A server did not start, or no running mcpmux can be reached. */
  Unreachable: 4,
  /** The tool was called and reported an error. */
  ToolError: 5,
  /** What was asked for does not exist. */
  NotFound: 6,
  /** A person, or the lack of one, refused it. */
  Refused: 7,
  /** Ctrl-C at a question. */
  Interrupted: 130,
  /** A defect of mcpmux. */
  Internal: 70,
} as const;
