import { ExitCode } from '../base/exit-code.js';

/** The report of a failed command: the failure and the next step. Never contains the value of a secret. */
export interface CommandFailure {
  /** A stable code for programs, such as `SERVER_NOT_FOUND`. */
  readonly code: string;
  readonly exitCode: (typeof ExitCode)[keyof typeof ExitCode];
  readonly message: string;
  /** The next step, as a sentence or a command. */
  readonly next?: string;
  /** Further facts, one line each. */
  readonly details?: readonly string[];
}

/** Ends a command. Its failure goes to stderr, and its exit code becomes the exit code of the process. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: CommandFailure;

  /** @param more if it has no exit code, the exit code follows from `code` */
  constructor(code: string, message: string, more: Partial<Omit<CommandFailure, 'code' | 'message'>> = {}) {
    super(message);
    this.failure = { code, exitCode: EXIT_CODES[code] ?? ExitCode.Usage, message, ...more };
  }
}

/** The exit codes of failures. Every other code has {@link ExitCode}.Usage. */
const EXIT_CODES: Readonly<Record<string, CommandFailure['exitCode']>> = {
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

/** Returns the error for a wrong command line. */
export function usage(message: string, next?: string): CommandError {
  return new CommandError('USAGE', message, { ...(next && { next }) });
}

/** Returns the text for people, or with `--json` the one-line envelope. The text ends with a line break. */
export function formatFailure({ code, message, next, details }: CommandFailure, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ error: { code, message, next, details } })}\n`;
  const lines = [`mcpmux: ${message}`, ...(details ?? []).map((line) => `  ${line}`)];
  if (next !== undefined) lines.push(`Next: ${next}`);
  return `${lines.join('\n')}\n`;
}
