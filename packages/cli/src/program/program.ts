import process from 'node:process';

import { Command, CommanderError } from 'commander';

import { suggest } from '@mcpmux/config/find';

import { COMMAND_NAMES, needsCommands, unknownCommand } from '../commands/command-names.js';
import { ExitCode } from '../base/exit-code.js';
import {
  addInHelpOrder,
  HELP_EXAMPLES,
  EXIT_CODES_HELP,
  assignHelpGroups,
  subcommandTerm,
} from './help-groups.js';
import { writeStderr, writeStdout } from '../base/terminal-output.js';
import { explainOnTerminal } from './explain-on-terminal.js';
import { strayHttpFlag } from '../serve/http-options.js';
import { addCommonFlags, explicitCommonFlag } from '../terminal/common-flags.js';
import { exitOnOutputError } from '../terminal/end-with-reader.js';
import { outputError, reportUsageError, configureUsageErrors, wantsJson } from './usage-error.js';
import { addServeOptions, contradictionIn, type ServeFlags } from './serve-flags.js';
import { VERSION } from '../base/version.js';

const COMPLETION_ARGS: ReadonlySet<string> = new Set(['completion', 'complete', 'help', '-h', '--help']);
const HELP_HINT = 'Next: mcpmux --help shows all commands, mcpmux serve --help the options of serve';
/** Parses a command line and runs its command. Returns the exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  let exitCode: number = ExitCode.Ok;
  const { program, serveCommand } = createProgram(async (flags, isExplicit) => {
    const problem = contradictionIn(flags) ?? strayHttpFlag(flags) ?? strayCommonFlag(program);
    if (problem !== undefined) return program.error(`error: ${problem}`);
    const isServeRequested = isExplicit || flags.sharedSocket !== undefined || flags.http !== undefined;
    // The code for serving is imported lazily, because other commands do not need it.
    if (isServeRequested || !process.stdin.isTTY)
      exitCode = await (await import('./serve-with.js')).serveWith(flags, args);
    else exitCode = await explainOnTerminal();
  });
  if (needsCommands(args)) {
    const { commandsExceptServe } = await import('../commands/command-tree.js');
    addInHelpOrder(program, [serveCommand, ...commandsExceptServe((code) => (exitCode = code))]);
  } else program.addCommand(serveCommand);
  if (args.some((arg) => COMPLETION_ARGS.has(arg))) {
    const { addCompletion } = await import('../commands/complete.js');
    addCompletion(program);
  }
  for (const command of allCommands(program))
    command.configureOutput({ writeOut: writeStdout, writeErr: writeStderr, outputError });
  const isJson = wantsJson(args);
  assignHelpGroups(program);
  for (const command of program.commands) command.copyInheritedSettings(program).allowExcessArguments(false);
  configureUsageErrors(program, isJson);
  const unknownName = unknownCommand(args);
  const words = args[0] === '-v' ? ['--version'] : [...args];
  try {
    await program.parseAsync(unknownName === undefined ? words : [unknownName], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) {
      // The help or version text may not have been written yet, so a write error must still end the process.
      exitOnOutputError();
      return ExitCode.Ok;
    }
    reportUsageError(error, args, isJson);
    return ExitCode.Usage;
  }
}

function allCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(allCommands)];
}

function createProgram(run: (flags: ServeFlags, isExplicit: boolean) => Promise<void>): {
  readonly program: Command;
  readonly serveCommand: Command;
} {
  const program = new Command('mcpmux')
    .description('One MCP server in front, any number behind it; the agent adds, reloads and removes them.')
    .version(VERSION)
    .addHelpText('after', HELP_EXAMPLES)
    .configureHelp({ subcommandTerm })
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    // The action itself rejects excess arguments, so that the error for an unknown command can suggest another one.
    .allowExcessArguments(true)
    .action((flags: ServeFlags, command: Command) => {
      const [unknown] = command.args;
      return unknown === undefined ? run(flags, false) : rejectUnknownCommand(command, unknown);
    });
  const serveCommand = new Command('serve')
    .description('serve MCP on stdin and stdout (the default when stdin is no terminal)')
    .addHelpText('after', EXIT_CODES_HELP)
    .exitOverride()
    .showHelpAfterError(HELP_HINT)
    .allowExcessArguments(false)
    .action((flags: ServeFlags) =>
      run({ ...flags, ...explicitFlags(program), ...explicitFlags(serveCommand) }, true),
    );
  for (const command of [program, serveCommand]) addServeOptions(command);
  program.addHelpText('before', () => hideServeOptions(program));
  addCommonFlags(program, true);
  program.enablePositionalOptions();
  return { program, serveCommand };
}

/**
 * Hides the `serve` options from the main help, and returns an empty text for the help. They are hidden only when the
 * help is printed, because commander suggests only visible options for a misspelled option.
 */
function hideServeOptions(program: Command): string {
  for (const option of program.options) if (option.long !== '--version') option.hideHelp();
  return '';
}

/** Returns the error for a flag that other commands accept but `serve` does not. */
function strayCommonFlag(program: Command): string | undefined {
  const flag = explicitCommonFlag(program);
  return flag === undefined ? undefined : `${flag} is for commands, such as: mcpmux list ${flag}`;
}

/**
 * Returns the flags that the user passed to a command, without defaults. A flag before the subcommand also applies to
 * the subcommand, as in `mcpmux --log-level debug serve`.
 */
function explicitFlags(command: Command): Partial<ServeFlags> {
  const explicitEntries = Object.entries(command.opts()).filter(
    ([key]) => command.getOptionValueSource(key) === 'cli',
  );
  return Object.fromEntries(explicitEntries);
}

/** Maps the names that other programs use for a command to the mcpmux command. */
const COMMAND_SYNONYMS: Readonly<Record<string, string>> = {
  delete: 'remove',
  edit: 'config path',
  ps: 'list --all',
  register: 'install',
  run: 'serve',
  find: 'search',
  show: 'get',
  start: 'serve',
  dashboard: 'ui',
  validate: 'config validate',
};

const UPGRADE_SYNONYMS: ReadonlySet<string> = new Set(['update', 'self-update']);
const UPGRADE_HINT = '\n(To upgrade: npx @mcpmux/cli@latest install CLIENT, see docs/upgrade.md)';

function rejectUnknownCommand(program: Command, name: string): never {
  const suggestedCommand =
    COMMAND_SYNONYMS[name] ??
    suggest(name, [...program.commands.map((command) => command.name()), ...COMMAND_NAMES]);
  const suggestion = suggestedCommand === undefined ? '' : `\n(Did you mean ${suggestedCommand}?)`;
  const hint = UPGRADE_SYNONYMS.has(name) ? UPGRADE_HINT : suggestion;
  return program.error(`error: unknown command '${name}'${hint}`);
}
