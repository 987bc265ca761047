import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';

/** The process cannot serve, and ends with this exit code. */
export interface Refused {
  readonly exitCode: number;
}

/** Writes the reasons why the process cannot serve to stderr. */
export function refused(problems: readonly string[], exitCode: number = ExitCode.Usage): Refused {
  for (const problem of problems) writeErr(`mcpmux: ${problem}\n`);
  return { exitCode };
}
