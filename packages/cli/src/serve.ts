import process from 'node:process';

import { createMux, type Limits } from '@mcpmux/core';

import { ExitCode } from './exit-code.js';
import type { LogFormat, LogThreshold } from './log-record.js';
import { watchLoop } from './loop-watch.js';
import { protectStdout } from './protect-stdout.js';
import { handleSignals } from './signals.js';
import { spareStderr } from './spare-stderr.js';
import { StderrLogger } from './stderr-logger.js';
import { VERSION } from './version.js';

/** How `mcpmux serve` behaves. */
export interface ServeOptions {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly limits: Partial<Limits>;
}

/** How it behaves without any flag. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };

/** After an orderly end nothing should keep the process alive; if something does, it ends all the same. */
const LAST_RESORT_MS = 1000;

/** Serves MCP on stdin and stdout until the client goes or a signal comes. Returns the exit code. */
export async function serve({ logLevel, logFormat, limits }: ServeOptions): Promise<number> {
  protectStdout();
  spareStderr();
  const logger = new StderrLogger(logLevel, logFormat);
  const mux = createMux({ implementation: { name: 'mcpmux', version: VERSION }, limits }, { logger });
  const session = mux.connect({ input: process.stdin, output: process.stdout });
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  setImmediate(() => void logger.start());
  const watch = watchLoop(logger);
  const exitCode = await Promise.race([session.closed.then(() => ExitCode.Ok), signalled]);
  watch.stop();
  await mux.close();
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
  return exitCode;
}

/** Nothing is known to be right after an exception that nobody caught: say why and go. The guard clears up. */
function exitOnDefect(): void {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.stderr.write(`mcpmux: ${kind}: ${reason}\n`);
      process.exit(ExitCode.Internal);
    });
  }
}
