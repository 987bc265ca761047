import process from 'node:process';

import { createMux, type AddPolicy, type Limits, type Mux, type PinMode } from '@mcpmux/core';

import { findConfig, type ConfigLocation } from './config/find-config.js';
import { thisProcess } from './config/this-process.js';
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
  /** A config file; `false` for none; by default the first one of the search order. */
  readonly config?: string | false;
  /** Whether the config of a project counts; what the environment variable MCPMUX_PROJECT_CONFIG says when absent. */
  readonly projectConfig?: boolean;
  /** Longest tool name shown to clients, in characters. */
  readonly nameBudget?: number;
  /** What agents may add. */
  readonly addPolicy?: AddPolicy;
  /** What happens when the definition of a tool changes. */
  readonly pinTools?: PinMode;
}

/** How it behaves without any flag. */
export const DEFAULT_SERVE_OPTIONS: ServeOptions = { logLevel: 'info', logFormat: 'pretty', limits: {} };

/** After an orderly end nothing should keep the process alive; if something does, it ends all the same. */
const LAST_RESORT_MS = 1000;

/** Serves MCP on stdin and stdout until the client goes or a signal comes. Returns the exit code. */
export async function serve({
  logLevel,
  logFormat,
  limits,
  config: flag,
  projectConfig = process.env['MCPMUX_PROJECT_CONFIG'] === '1',
  nameBudget,
  addPolicy,
  pinTools,
}: ServeOptions): Promise<number> {
  protectStdout();
  spareStderr();
  const found = findConfig({ ...thisProcess(), flag, projects: projectConfig });
  if (found.kind === 'missing') return configMissing(found.location);
  const logger = new StderrLogger(logLevel, logFormat);
  const implementation = { name: 'mcpmux', version: VERSION };
  const mux = createMux(
    {
      implementation,
      limits,
      ...(nameBudget !== undefined && { nameBudget }),
      ...(addPolicy && { addPolicy }),
      ...(pinTools && { pinTools }),
    },
    { logger },
  );
  const session = mux.connect({ input: process.stdin, output: process.stdout });
  const signalled = new Promise<number>(handleSignals);
  exitOnDefect();
  setImmediate(() => void logger.start());
  const watch = watchLoop(logger);
  if (found.kind === 'foreign') warnOfForeign(found.location, logger);
  const config = found.kind === 'found' ? startConfig(found.location, mux, logger) : undefined;
  const ended = Promise.race([session.closed.then(() => ExitCode.Ok), signalled]);
  const exitCode = await (config === undefined ? ended : unlessRefused(config, ended));
  watch.stop();
  await mux.close();
  setTimeout(() => process.exit(exitCode), LAST_RESORT_MS).unref();
  return exitCode;
}

/**
 * Starts the servers of a config, whose code is loaded only now. Resolves to false when the config cannot be used and
 * was asked for by name; one that was merely found is reported, and the agent can still add servers.
 */
async function startConfig(location: ConfigLocation, mux: Mux, logger: StderrLogger): Promise<boolean> {
  const { startServers } = await import('./config/start-servers.js');
  return startServers(location, { mux, logger, context: thisProcess() }) || !isNamed(location);
}

/** A config that is refused ends the session, and decides the exit code of one that has just ended. */
async function unlessRefused(accepted: Promise<boolean>, ended: Promise<number>): Promise<number> {
  const refused = accepted.then((isAccepted) => (isAccepted ? ended : ExitCode.Usage));
  const first = await Promise.race([ended, refused]);
  return first === ExitCode.Ok ? refused : first;
}

function isNamed({ origin }: ConfigLocation): boolean {
  return origin === 'flag' || origin === 'environment';
}

function configMissing({ file, origin }: ConfigLocation): number {
  const source = origin === 'flag' ? '--config' : 'MCPMUX_CONFIG';
  process.stderr.write(`mcpmux: there is no file ${file}, which ${source} names. Check the path.\n`);
  return ExitCode.Usage;
}

function warnOfForeign({ file }: ConfigLocation, logger: StderrLogger): void {
  logger.log('warn', 'a config that belongs to another user is not used; name it with --config to use it', {
    config: file,
  });
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
