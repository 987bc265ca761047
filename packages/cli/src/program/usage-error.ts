import { writeStderr } from '../base/terminal-output.js';
import type { Command, CommanderError } from 'commander';

import { COMMAND_NAMES } from '../commands/command-names.js';
import { nameOf } from '../terminal/common-flags.js';

const HINT_PATTERN = /\n\((?<hint>(?:Did you mean|To upgrade:) [^)]*)\)$/;

/** True if the flags include `--json`, so that errors must be printed as JSON. Ignores words after `--`. */
export function wantsJson(args: readonly string[]): boolean {
  const separatorIndex = args.indexOf('--');
  return args.slice(0, separatorIndex < 0 ? args.length : separatorIndex).includes('--json');
}

/** Makes every command print a help hint after a usage error. With `isJson`, commander itself prints nothing. */
export function configureUsageErrors(program: Command, isJson: boolean): void {
  const commands = program.commands.filter((command) => isJson || COMMAND_NAMES.includes(command.name()));
  const subcommands = program.commands.flatMap((command) => command.commands);
  for (const command of [...commands, ...subcommands]) (isJson ? disableOutput : addHelpHint)(command);
  if (isJson) disableOutput(program);
}

/** Prints a commander error with the prefix `mcpmux:`, as in all other errors. */
export function outputError(text: string, write: (text: string) => void): void {
  write(text.replace(/^error: /, 'mcpmux: '));
}

function addHelpHint(command: Command): void {
  command.showHelpAfterError(
    `Next: mcpmux --help shows all commands, mcpmux ${nameOf(command)} --help its options`,
  );
}

function disableOutput(command: Command): void {
  const discardOutput = (): void => undefined;
  command.configureOutput({ outputError: discardOutput, writeErr: discardOutput }).showHelpAfterError(false);
}

/** Prints a usage error as JSON, or else only a hint, because commander has already printed the error. */
export function reportUsageError(error: CommanderError, args: readonly string[], isJson: boolean): void {
  const next = lacksSeparator(error, args)
    ? 'put -- before the command: mcpmux add NAME -- COMMAND ARGUMENTS'
    : undefined;
  if (isJson) {
    const hintText = HINT_PATTERN.exec(error.message)?.groups?.['hint'];
    const envelope = { code: 'USAGE', message: messageOf(error), next: next ?? hintText ?? 'mcpmux --help' };
    writeStderr(`${JSON.stringify({ error: envelope })}\n`);
  } else if (next !== undefined) writeStderr(`(${next})\n`);
}

function messageOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'the name of a command is missing';
  return message.replace(/^error: /, '').replace(HINT_PATTERN, '');
}

function lacksSeparator({ code }: CommanderError, args: readonly string[]): boolean {
  return code === 'commander.unknownOption' && args[0] === 'add' && !args.includes('--');
}
