import process from 'node:process';

import { ExitCode } from '../base/exit-code.js';
import { printResult, type CommandContext } from '../terminal/command-context.js';
import { VERSION } from '../base/version.js';

/** Prints the version. `--json` adds the Node.js version, the platform and the architecture. */
export function version(context: CommandContext): number {
  const { platform, arch, versions } = process;
  printResult(context, { version: VERSION, node: versions.node, platform, arch }, VERSION);
  return ExitCode.Ok;
}
