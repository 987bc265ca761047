import { loadConfig } from '@mcpmux/config';

import { ExitCode } from '../base/exit-code.js';
import { ApprovalFile } from '../files/approval-file.js';
import { asCall, commandDigest, isApproved, shownCommand, wholeCommand } from '../live/command-approvals.js';
import { printNote, printResult, type CommandContext } from '../terminal/command-context.js';
import { foundConfig, type ConfigFlags } from '../config/config-choice.js';

/** A command that prints a value of a server in the config, and that no person has approved permanently. */
export interface WaitingCommand {
  readonly id: string;
  readonly server: string;
  readonly command: readonly string[];
}

/** Returns the commands of the config that no person has approved, each once. */
export async function waitingCommands(
  context: CommandContext,
  flags: ConfigFlags,
): Promise<readonly WaitingCommand[]> {
  const found = foundConfig(context, flags);
  // Calls wait also without a config.
  if (found.kind !== 'found') return [];
  const store = new ApprovalFile(context);
  const waiting = new Map<string, WaitingCommand>();
  for (const server of loadConfig(found.location, context).servers) {
    if (server.status !== 'ready') continue;
    for (const command of Object.values(server.config.commands ?? {})) {
      const id = `cmd-${commandDigest(command).slice(0, 8)}`;
      if (!waiting.has(id) && !(await isApproved(store, command)))
        waiting.set(id, { id, server: server.name, command });
    }
  }
  return [...waiting.values()];
}

/** Returns a command in the list of what waits. */
export function commandText({ id, server, command }: WaitingCommand): string {
  return `${id}  ${server} runs this for a value at each start, --for always\n  ${wholeCommand(command)}`;
}

/** Approves a command permanently: exactly these words, for each server of this user. */
export async function approveCommand(
  context: CommandContext,
  { id, server, command }: WaitingCommand,
): Promise<number> {
  await new ApprovalFile(context).add(commandDigest(command), asCall(server, command));
  printResult(context, { id, outcome: 'allowed', scope: 'always' }, '');
  printNote(context, `Allowed for always: ${shownCommand(command)}`);
  return ExitCode.Ok;
}
