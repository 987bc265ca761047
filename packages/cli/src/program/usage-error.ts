import { writeStderr } from '../base/terminal-output.js';
import type { Command, CommanderError } from 'commander';

import { COMMAND_NAMES } from '../commands/command-names.js';
import { nameOf } from '../terminal/common-flags.js';

const HINT_PATTERN = /\n\((?<hint>(?:Did you mean|To upgrade:) [^)]*)\)$/;

/** True if `--json` is among the flags, and errors are therefore printed as JSON. Ignores words after `--`. */
export function wantsJson(args: readonly string[]): boolean {
  const separatorIndex = args.indexOf('--');
  return args.slice(0, separatorIndex < 0 ? args.length : separatorIndex).includes('--json');
}

/** Makes every command print a help hint after an error. With `isJson`, only {@link reportUsageError} prints. */
export function configureUsageErrors(program: Command, isJson: boolean): void {
  const commands = program.commands.filter((command) => isJson || COMMAND_NAMES.includes(command.name()));
  const subcommands = program.commands.flatMap((command) => command.commands);
  for (const command of [...commands, ...subcommands]) (isJson ? disableOutput : addHelpHint)(command);
  if (isJson) disableOutput(program);
}

/** Prints an error from commander in the format of all other errors. */
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

/** Reports a usage error: one JSON line for programs, or hints for people in addition to the text from commander. */
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
