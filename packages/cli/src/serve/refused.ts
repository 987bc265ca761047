import { ExitCode } from '../base/exit-code.js';
import { writeErr } from '../base/terminal-output.js';

/** The result of a start that fails. The process ends with this exit code. */
export interface Refused {
  readonly exitCode: number;
}

/** Writes the reasons for a failed start to stderr. */
export function refused(problems: readonly string[], exitCode: number = ExitCode.Usage): Refused {
  for (const problem of problems) writeErr(`mcpmux: ${problem}\n`);
  return { exitCode };
}
