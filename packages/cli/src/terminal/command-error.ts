import { ExitCode } from '../base/exit-code.js';

/** The failure of a command, with the user's next step. Never contains secret values. */
export interface CommandFailure {
  /** A stable code for programs, such as `SERVER_NOT_FOUND`. */
  readonly code: string;
  readonly exitCode: (typeof ExitCode)[keyof typeof ExitCode];
  readonly message: string;
  /** The next step, as a sentence or a command. */
  readonly next?: string;
  /** Additional lines, printed below the message. */
  readonly details?: readonly string[];
}

/** An error that ends a command. Its failure is printed to stderr, and its exit code ends the process. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: CommandFailure;

  /** @param more optional members of the failure. Without `exitCode`, `code` determines the exit code. */
  constructor(code: string, message: string, more: Partial<Omit<CommandFailure, 'code' | 'message'>> = {}) {
    super(message);
    this.failure = { code, exitCode: EXIT_CODES_BY_FAILURE[code] ?? ExitCode.Usage, message, ...more };
  }
}

/** The exit codes by failure code. Unlisted failure codes exit with {@link ExitCode}.Usage. */
const EXIT_CODES_BY_FAILURE: Readonly<Record<string, CommandFailure['exitCode']>> = {
  CALL_FAILED: ExitCode.Failed,
  CLIENT_FILE_NOT_FOUND: ExitCode.NotFound,
  CLIENT_NOT_FOUND: ExitCode.NotFound,
  COMMAND_NOT_FOUND: ExitCode.Failed,
  CONFIG_NOT_FOUND: ExitCode.NotFound,
  FILE_CHANGED: ExitCode.Failed,
  FILE_LOCKED: ExitCode.Failed,
  FILE_READ_ONLY: ExitCode.Failed,
  FILE_NOT_FOUND: ExitCode.NotFound,
  FOLDER_NOT_FOUND: ExitCode.NotFound,
  LOGIN_FAILED: ExitCode.Failed,
  NOT_RUNNING: ExitCode.Unreachable,
  PORT_TAKEN: ExitCode.Failed,
  NO_APPROVAL: ExitCode.NotFound,
  NO_PAGE: ExitCode.Unreachable,
  REGISTRY_UNREACHABLE: ExitCode.Unreachable,
  REFUSED: ExitCode.Refused,
  SERVER_NOT_FOUND: ExitCode.NotFound,
  START_FAILED: ExitCode.Unreachable,
  TOOL_NOT_FOUND: ExitCode.NotFound,
  WRITE_FAILED: ExitCode.Failed,
};

/** Returns the error for an invalid command line. */
export function usageError(message: string, next?: string): CommandError {
  return new CommandError('USAGE', message, { ...(next && { next }) });
}

/** Formats a failure for people, or as one line of JSON. The text ends with a line break. */
export function formatFailure({ code, message, next, details }: CommandFailure, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ error: { code, message, next, details } })}\n`;
  const lines = [`mcpmux: ${message}`, ...(details ?? []).map((line) => `  ${line}`)];
  if (next !== undefined) lines.push(`Next: ${next}`);
  return `${lines.join('\n')}\n`;
}
