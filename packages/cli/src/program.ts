import process from 'node:process';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import { ExitCode } from './exit-code.js';
import { explainOnTerminal } from './explain-on-terminal.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogThreshold } from './log-record.js';
import { DEFAULT_SERVE_OPTIONS, serve, type ServeOptions } from './serve.js';
import { VERSION } from './version.js';

const EXIT_CODES = `
Exit codes:
  0    the client has closed the connection
  2    the command line makes no sense
  70   a defect of mcpmux
  130  SIGINT, 143 SIGTERM, 129 SIGHUP (128 + signal)
`;

interface ServeFlags {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly startTimeout?: number;
}

/** Parses a command line that has arguments, and runs it. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.Ok;
  const program = commandLine(async (flags, isExplicit) => {
    exitCode = process.stdin.isTTY && !isExplicit ? explainOnTerminal() : await serve(serveOptions(flags));
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
    throw error;
  }
}

function commandLine(run: (flags: ServeFlags, isExplicit: boolean) => Promise<void>): Command {
  const program = new Command('mcpmux')
    .description('One MCP server in front, any number behind it; the agent adds, reloads and removes them.')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .showHelpAfterError('(mcpmux --help shows all options)')
    .allowExcessArguments(false)
    .action((flags: ServeFlags) => run(flags, false));
  const serveCommand = new Command('serve')
    .description('serve MCP on stdin and stdout (the default when stdin is no terminal)')
    .exitOverride()
    .allowExcessArguments(false)
    .action((flags: ServeFlags) => run(flags, true));
  for (const command of [program, serveCommand]) addServeOptions(command);
  return program.enablePositionalOptions().addCommand(serveCommand);
}

function addServeOptions(command: Command): void {
  const { logLevel, logFormat } = DEFAULT_SERVE_OPTIONS;
  command
    .addOption(
      new Option('--log-level <level>', 'what to log to stderr').choices([...LOG_LEVELS]).default(logLevel),
    )
    .addOption(new Option('--log-format <format>', 'how to log').choices([...LOG_FORMATS]).default(logFormat))
    .option('--start-timeout <seconds>', 'how long a server may take to start (default: 60)', seconds);
}

function serveOptions({ logLevel, logFormat, startTimeout }: ServeFlags): ServeOptions {
  return {
    logLevel,
    logFormat,
    limits: startTimeout === undefined ? {} : { startTimeoutMs: startTimeout * 1000 },
  };
}

/** Timers of Node.js take no more than 2^31 ms; a longer one would fire at once. */
const MAX_SECONDS = 2_000_000;

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, and at most ${MAX_SECONDS}.`);
}
