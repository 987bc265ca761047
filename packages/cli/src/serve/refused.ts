import { ExitCode } from '../base/exit-code.js';
import { writeStderr } from '../base/terminal-output.js';

/** The result of a failed start, with the process's exit code. */
export interface StartRefusal {
  readonly exitCode: number;
}

/** Writes the reasons for a failed start to stderr. */
export function refuseStart(problems: readonly string[], exitCode: number = ExitCode.Usage): StartRefusal {
  for (const problem of problems) writeStderr(`mcpmux: ${problem}\n`);
  return { exitCode };
}
