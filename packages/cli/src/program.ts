import process from 'node:process';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import type { AddPolicy, AddPolicyMode, AllowedCommand, PinMode } from '@mcpmux/core';
import { DEFAULT_NAME_BUDGET, MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { readAllowedCommand } from './allow-command.js';
import { configCommand } from './config/config-command.js';
import { suggest } from './config/suggest.js';
import { ExitCode } from './exit-code.js';
import { explainOnTerminal } from './explain-on-terminal.js';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogThreshold } from './log-record.js';
import { DEFAULT_SERVE_OPTIONS, serve, type ServeOptions } from './serve.js';
import { VERSION } from './version.js';

const HELP_HINT = '(mcpmux --help shows all options)';
const EXIT_CODES = `
Exit codes:
  0    the client has closed the connection
  2    the command line or the config makes no sense
  6    there is no config
  70   a defect of mcpmux
  130  SIGINT, 143 SIGTERM, 129 SIGHUP (128 + signal)
`;

interface ServeFlags {
  readonly logLevel: LogThreshold;
  readonly logFormat: LogFormat;
  readonly startTimeout?: number;
  readonly config?: string | false;
  readonly projectConfig?: boolean;
  readonly nameBudget?: number;
  readonly addPolicy?: AddPolicyMode;
  readonly allowCommand?: readonly AllowedCommand[];
  readonly pinTools?: PinMode;
}

/** Parses a command line that has arguments, and runs it. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.Ok;
  const program = commandLine(
    async (flags, isExplicit) => {
      const contradiction = contradictionIn(flags);
      if (contradiction !== undefined) return program.error(`error: ${contradiction}`);
      exitCode = process.stdin.isTTY && !isExplicit ? explainOnTerminal() : await serve(serveOptions(flags));
    },
    (code) => (exitCode = code),
  );
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.Ok : ExitCode.Usage;
    throw error;
  }
}

function commandLine(
  run: (flags: ServeFlags, isExplicit: boolean) => Promise<void>,
  exit: (code: number) => void,
): Command {
  const program = new Command('mcpmux')
    .description('One MCP server in front, any number behind it; the agent adds, reloads and removes them.')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    // Only to answer an unknown command with the one that was meant.
    .allowExcessArguments(true)
    .action((flags: ServeFlags, command: Command) => {
      const [unknown] = command.args;
      return unknown === undefined ? run(flags, false) : refuseCommand(command, unknown);
    });
  const serveCommand = new Command('serve')
    .description('serve MCP on stdin and stdout (the default when stdin is no terminal)')
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    .allowExcessArguments(false)
    .action((flags: ServeFlags) => run({ ...flags, ...givenTo(program), ...givenTo(serveCommand) }, true));
  for (const command of [program, serveCommand]) addServeOptions(command);
  return program.enablePositionalOptions().addCommand(serveCommand).addCommand(configCommand(exit));
}

/** What stands on the command line for a command, without the defaults: `mcpmux --log-level debug serve` means it too. */
function givenTo(command: Command): Partial<ServeFlags> {
  const given = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given);
}

function refuseCommand(program: Command, unknown: string): never {
  const meant = suggest(
    unknown,
    program.commands.map((command) => command.name()),
  );
  const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return program.error(`error: unknown command '${unknown}'${hint}`);
}

function addServeOptions(command: Command): void {
  const { logLevel, logFormat } = DEFAULT_SERVE_OPTIONS;
  command
    .addOption(
      new Option('--log-level <level>', 'what to log to stderr').choices([...LOG_LEVELS]).default(logLevel),
    )
    .addOption(new Option('--log-format <format>', 'how to log').choices([...LOG_FORMATS]).default(logFormat))
    .option('--start-timeout <seconds>', 'how long a server may take to start (default: 60)', seconds)
    .option(
      '--config <file>',
      'the servers to start with (default: the first file that mcpmux config path finds)',
    )
    .option('--no-config', 'start without a config')
    .option('--project-config', 'use the mcpmux.json of the working directory or above it, too')
    .option(
      '--name-budget <characters>',
      `longest tool name shown to clients (default: ${DEFAULT_NAME_BUDGET})`,
      nameBudget,
    )
    .addOption(
      new Option('--add-policy <policy>', 'what add_server may start (default: allow)').choices([
        ...ADD_POLICIES,
      ]),
    )
    .option(
      '--allow-command <command>',
      'a whole command that add_server may start, with allowlist or unasked with ask; repeatable',
      allowedCommands,
    )
    .addOption(
      new Option('--pin-tools <mode>', 'when the definition of a tool changes (default: warn)').choices([
        ...PIN_MODES,
      ]),
    );
}

const PIN_MODES: readonly PinMode[] = ['off', 'warn', 'block'];
const ADD_POLICIES: readonly AddPolicyMode[] = ['allow', 'allowlist', 'ask', 'deny'];

function policyOf(mode: AddPolicyMode, commands: readonly AllowedCommand[] = []): AddPolicy {
  return mode === 'allow' || mode === 'deny' ? { mode } : { mode, commands };
}

function allowedCommands(text: string, before: readonly AllowedCommand[] = []): readonly AllowedCommand[] {
  const read = readAllowedCommand(text);
  if ('problem' in read) throw new InvalidArgumentError(read.problem);
  return [...before, read];
}

/** A list that has no effect would be taken for one that has. */
function contradictionIn({ addPolicy = 'allow', allowCommand }: ServeFlags): string | undefined {
  const hasList = addPolicy === 'allowlist' || addPolicy === 'ask';
  return allowCommand === undefined || hasList
    ? undefined
    : '--allow-command needs --add-policy allowlist or --add-policy ask';
}

function serveOptions({
  logLevel,
  logFormat,
  startTimeout,
  config,
  nameBudget: budget,
  projectConfig,
  addPolicy,
  allowCommand,
  pinTools,
}: ServeFlags): ServeOptions {
  return {
    logLevel,
    logFormat,
    limits: startTimeout === undefined ? {} : { startTimeoutMs: startTimeout * 1000 },
    ...(config !== undefined && { config }),
    ...(budget !== undefined && { nameBudget: budget }),
    ...(projectConfig !== undefined && { projectConfig }),
    ...(pinTools !== undefined && { pinTools }),
    ...(addPolicy !== undefined && { addPolicy: policyOf(addPolicy, allowCommand) }),
  };
}

function nameBudget(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= MIN_NAME_BUDGET) return value;
  throw new InvalidArgumentError(`It must be a whole number of characters, at least ${MIN_NAME_BUDGET}.`);
}

/** Timers of Node.js take no more than 2^31 ms; a longer one would fire at once. */
const MAX_SECONDS = 2_000_000;

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, and at most ${MAX_SECONDS}.`);
}
