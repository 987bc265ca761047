import process from 'node:process';

import { protectConsole, writeStderr } from './base/terminal-output.js';
import { ExitCode } from './base/exit-code.js';
import { DEFAULT_SERVE_OPTIONS } from './serve/serve-options.js';

/** Runs the command line. Does not call `process.exit`, because that could lose buffered output. */
async function main(args: readonly string[]): Promise<void> {
  if (isPlainServe(args)) {
    // Clients usually start mcpmux without arguments. For a fast first response, load only the code for serving.
    const { serveClient } = await import('./program/serve-client.js');
    process.exitCode = await serveClient(DEFAULT_SERVE_OPTIONS, args);
    return;
  }
  protectConsole(true);
  const { runProgram } = await import('./program/program.js');
  process.exitCode = await runProgram(args);
}

/** True for `mcpmux serve`, and for `mcpmux` alone if stdin is not a terminal. */
function isPlainServe([first, ...others]: readonly string[]): boolean {
  return first === undefined ? !process.stdin.isTTY : first === 'serve' && others.length === 0;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  writeStderr(`mcpmux: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = ExitCode.Internal;
});
