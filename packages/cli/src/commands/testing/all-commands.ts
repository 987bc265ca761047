import { Command } from 'commander';

import { nameOf } from '../../terminal/common-flags.js';
import { commandsExceptServe } from '../command-tree.js';

/** A command that does something itself. */
export interface KnownCommand {
  /** Its words, such as `config path`. */
  readonly name: string;
  readonly command: Command;
}

/** Every command but `serve`. */
export function allCommands(): readonly KnownCommand[] {
  const program = new Command('mcpmux');
  for (const command of commandsExceptServe(() => undefined)) program.addCommand(command);
  return program.commands.flatMap(leaves).map((command) => ({ name: nameOf(command), command }));
}

function leaves(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);
}
