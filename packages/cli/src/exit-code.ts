/** Exit codes of the `mcpmux` command. After a signal it is 128 plus the signal's number. */
export const ExitCode = {
  /** The client has closed the connection, or the command did what it was asked. */
  Ok: 0,
  /** The command line or the config makes no sense. */
  Usage: 2,
  /** What was asked for does not exist. */
  NotFound: 6,
  /** A defect of mcpmux. */
  Internal: 70,
} as const;
