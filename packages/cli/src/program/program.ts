import process from 'node:process';

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';

import type { AddPolicy, AddPolicyMode, AllowedCommand, PinMode } from '@mcpmux/core';
import { DEFAULT_NAME_BUDGET, MIN_NAME_BUDGET } from '@mcpmux/namespace';

import { COMMAND_NAMES, needsCommands, unknownCommand } from '../commands/command-names.js';
import { readAllowedCommand } from './allow-command.js';
import { suggest } from '../config/suggest.js';
import { ExitCode } from '../base/exit-code.js';
import { writeErr, writeOut } from '../base/terminal-output.js';
import { explainOnTerminal } from './explain-on-terminal.js';
import { addHttpOptions, strayHttpFlag, type HttpAddress, type HttpFlags } from '../serve/http-options.js';
import { LOG_FORMATS, LOG_LEVELS } from '../log/log-record.js';
import { DEFAULT_SERVE_OPTIONS, type ServeOptions } from '../serve/serve-options.js';
import { serve } from '../serve/serve.js';
import { addCommonFlags, givenCommonFlag } from '../terminal/common-flags.js';
import { endWithReader } from '../terminal/end-with-reader.js';
import { reportUsage, tellUsage, wantsJson } from './usage-error.js';
import { VERSION } from '../base/version.js';

const WITH_COMPLETION: ReadonlySet<string> = new Set(['completion', 'complete', 'help', '-h', '--help']);
const HELP_HINT = '(mcpmux --help shows all options)';
const EXIT_CODES = `
Exit codes:
  0    done; of serve: the client has closed the connection
  1    failed for a reason without a code of its own
  2    the command line or the config is invalid
  4    a server did not start, or no mcpmux is running
  5    the tool reported an error
  6    there is no such server, tool, config, client or file
  7    a person refused, or there was no terminal to ask on
  70   a defect of mcpmux
  130  SIGINT, 143 SIGTERM, 129 SIGHUP (128 + signal)
`;

interface ServeFlags extends HttpFlags, Omit<ServeOptions, 'limits' | 'addPolicy'> {
  /** In seconds. */
  readonly startTimeout?: number;
  readonly addPolicy?: AddPolicyMode;
  readonly allowCommand?: readonly AllowedCommand[];
  /** A window of a process that others share. */
  readonly shared?: boolean;
  /** In seconds. */
  readonly sharedIdle?: number;
  /** Set for the process that windows share. */
  readonly sharedSocket?: string;
}

/** Parses a command line that has arguments, and runs it. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.Ok;
  const program = commandLine(async (flags, isExplicit) => {
    const problem =
      contradictionIn(flags) ??
      sharedContradiction(flags) ??
      strayHttpFlag(flags) ??
      strayCommonFlag(program);
    if (problem !== undefined) return program.error(`error: ${problem}`);
    if (flags.sharedSocket !== undefined) exitCode = await serveWindows(flags, flags.sharedSocket);
    else if (flags.http !== undefined) exitCode = await serveHttp(flags, flags.http);
    else if (process.stdin.isTTY && !isExplicit) exitCode = explainOnTerminal();
    else if (flags.shared === true) exitCode = await relay(args);
    else exitCode = await serve(serveOptions(flags));
  });
  if (needsCommands(args)) {
    const { commands } = await import('../commands/command-tree.js');
    for (const command of commands((code) => (exitCode = code))) program.addCommand(command);
  }
  if (args.some((arg) => WITH_COMPLETION.has(arg))) {
    const { addCompletion } = await import('../commands/complete.js');
    addCompletion(program);
  }
  for (const command of commandsBelow(program)) command.configureOutput({ writeOut, writeErr });
  const isJson = wantsJson(args);
  program.helpCommand(true);
  for (const command of program.commands) command.copyInheritedSettings(program).allowExcessArguments(false);
  tellUsage(program, isJson);
  const unknown = unknownCommand(args);
  try {
    await program.parseAsync(unknown === undefined ? [...args] : [unknown], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      // Help, or the version: it is being written.
      endWithReader();
      return ExitCode.Ok;
    }
    reportUsage(error, args, isJson);
    return ExitCode.Usage;
  }
}

function commandsBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsBelow)];
}

function commandLine(run: (flags: ServeFlags, isExplicit: boolean) => Promise<void>): Command {
  const program = new Command('mcpmux')
    .description('One MCP server in front, any number behind it; the agent adds, reloads and removes them.')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    // Allows words, so that an unknown command can be answered with a suggestion.
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
  addCommonFlags(program, true);
  return program.enablePositionalOptions().addCommand(serveCommand);
}

/** The error of a flag that only commands have. */
function strayCommonFlag(program: Command): string | undefined {
  const flag = givenCommonFlag(program);
  return flag === undefined ? undefined : `${flag} is for commands, such as: mcpmux list ${flag}`;
}

/** The flags given to a command, without defaults. In `mcpmux --log-level debug serve`, those of `mcpmux` count too. */
function givenTo(command: Command): Partial<ServeFlags> {
  const given = Object.entries(command.opts()).filter(([key]) => command.getOptionValueSource(key) === 'cli');
  return Object.fromEntries(given);
}

function refuseCommand(program: Command, unknown: string): never {
  const meant = suggest(unknown, [...program.commands.map((command) => command.name()), ...COMMAND_NAMES]);
  const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  return program.error(`error: unknown command '${unknown}'${hint}`);
}

const CATALOG_HELP = 'the same, created if missing; servers that agents add with persist are saved in it';

function addServeOptions(command: Command): void {
  const { logLevel, logFormat } = DEFAULT_SERVE_OPTIONS;
  command
    .addOption(
      new Option('--log-level <level>', 'what to log to stderr').choices([...LOG_LEVELS]).default(logLevel),
    )
    .addOption(new Option('--log-format <format>', 'how to log').choices([...LOG_FORMATS]).default(logFormat))
    .option('--start-timeout <seconds>', 'how long a server may take to start (default: 60)', seconds)
    .option('--config <file>', 'the config to use (default: the file that mcpmux config path prints)')
    .option('--no-config', 'start without a config')
    .addOption(new Option('--catalog <file>', CATALOG_HELP).conflicts('config'))
    .option('--only <names>', 'start only these servers of the config', names)
    .option('--profile <name>', 'start only the servers of this profile of the config')
    .option('--watch', 'apply changes of the config automatically')
    .option(
      '--telemetry',
      'record requests with OpenTelemetry, whose API and SDK you install (docs/telemetry.md)',
    )
    .option('--no-socket', 'do not let commands such as mcpmux list reach this mcpmux')
    .option('--project-config', 'also use the mcpmux.json of the working directory or of a folder above')
    .option(
      '--name-budget <characters>',
      `longest tool name shown to clients (default: ${DEFAULT_NAME_BUDGET})`,
      nameBudget,
    )
    .addOption(
      new Option(
        '--add-policy <policy>',
        'which servers add_server may start (default: allow; with --http: deny)',
      ).choices([...ADD_POLICIES]),
    )
    .option(
      '--allow-command <command>',
      'a whole command that add_server may start: with allowlist, or with ask without a question; repeatable',
      allowedCommands,
    )
    .addOption(
      new Option('--pin-tools <mode>', 'what to do with a changed tool definition (default: warn)').choices([
        ...PIN_MODES,
      ]),
    )
    .option(
      '--wait-for-servers',
      'the first tools/list waits for servers that start, 5 s at most (default: for clients such as Codex)',
    )
    .option('--no-wait-for-servers', 'no tools/list waits for servers')
    .option('--shared', 'use one mcpmux and its servers for all windows (docs/shared.md)')
    .option(
      '--shared-idle <seconds>',
      'with --shared: how long the mcpmux without windows runs on (default: 600)',
      seconds,
    )
    .addOption(new Option('--shared-socket <path>').hideHelp());
  addHttpOptions(command);
}

async function serveHttp(flags: ServeFlags, address: HttpAddress): Promise<number> {
  const { openHttp } = await import('../serve/http-frontend.js');
  // A client over stdio can run programs anyway. Over HTTP, mcpmux does not know that of a client.
  // Clients of both eras share the servers.
  const options = { ...serveOptions({ addPolicy: 'deny', ...flags }), firstEra: 'modern' } as const;
  return serve(options, openHttp(address, flags));
}

async function relay(args: readonly string[]): Promise<number> {
  const { runRelay } = await import('../relay/run-relay.js');
  return runRelay(args);
}

async function serveWindows(flags: ServeFlags, socket: string): Promise<number> {
  const { serveShared } = await import('../shared/serve-shared.js');
  const { sharedIdle = SHARED_IDLE_SECONDS } = flags;
  return serveShared(serveOptions(flags), { socket, idleMs: sharedIdle * 1000 });
}

const SHARED_IDLE_SECONDS = 600;
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

/** An allowlist without effect is an error, because the user relies on it. */
function contradictionIn({ addPolicy = 'allow', allowCommand }: ServeFlags): string | undefined {
  const hasList = addPolicy === 'allowlist' || addPolicy === 'ask';
  return allowCommand === undefined || hasList
    ? undefined
    : '--allow-command needs --add-policy allowlist or --add-policy ask';
}

function sharedContradiction({
  http,
  shared,
  sharedIdle,
  sharedSocket,
  socket,
}: ServeFlags): string | undefined {
  const isShared = shared === true || sharedSocket !== undefined;
  if (isShared && http !== undefined)
    return '--shared does not go with --http, which many clients share anyway';
  if (isShared && socket === false) return '--shared needs the socket that --no-socket leaves out';
  return sharedIdle === undefined || isShared ? undefined : '--shared-idle needs --shared';
}

function serveOptions({
  startTimeout,
  addPolicy,
  allowCommand,
  shared: _,
  ...flags
}: ServeFlags): ServeOptions {
  return {
    ...flags,
    limits: startTimeout === undefined ? {} : { startTimeoutMs: startTimeout * 1000 },
    ...(addPolicy !== undefined && { addPolicy: policyOf(addPolicy, allowCommand) }),
  };
}

function names(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function nameBudget(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= MIN_NAME_BUDGET) return value;
  throw new InvalidArgumentError(`It must be a whole number of characters, at least ${MIN_NAME_BUDGET}.`);
}

/** Timers of Node.js support at most 2^31 ms. A longer timer would fire at once. */
const MAX_SECONDS = 2_000_000;

function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`It must be a number of seconds above 0, and at most ${MAX_SECONDS}.`);
}
