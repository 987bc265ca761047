import { ExitCode } from '../base/exit-code.js';

/** What a failed command tells: what happened, and what to do next. Never holds the value of a secret. */
export interface CommandFailure {
  /** Stable, for programs: such as `SERVER_NOT_FOUND`. */
  readonly code: string;
  readonly exitCode: (typeof ExitCode)[keyof typeof ExitCode];
  readonly message: string;
  /** The next step, as a sentence or a command. */
  readonly next?: string;
  /** What else there is to know, one line each. */
  readonly details?: readonly string[];
}

/** Ends a command: what it says goes to stderr, and its exit code becomes that of the process. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(readonly failure: CommandFailure) {
    super(failure.message);
  }
}

/** The command line itself is wrong. */
export function usage(message: string, next?: string): CommandError {
  return new CommandError({ code: 'USAGE', exitCode: ExitCode.Usage, message, ...(next && { next }) });
}

/** The text for people, or with `--json` the one-line envelope. Ends with a line break. */
export function formatFailure({ code, message, next, details }: CommandFailure, isJson: boolean): string {
  if (isJson) return `${JSON.stringify({ error: { code, message, next, details } })}\n`;
  const lines = [`mcpmux: ${message}`, ...(details ?? []).map((line) => `  ${line}`)];
  if (next !== undefined) lines.push(`Next: ${next}`);
  return `${lines.join('\n')}\n`;
}
