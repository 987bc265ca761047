import { loadConfig } from '@mcpmux/config';

import { ExitCode } from '../base/exit-code.js';
import { ApprovalFile } from '../files/approval-file.js';
import { asCall, commandDigest, isApproved, shownCommand, wholeCommand } from '../live/command-approvals.js';
import { printNote, printResult, type CommandContext } from '../terminal/command-context.js';
import { foundConfig, type ConfigFlags } from '../config/config-choice.js';

/** A command in the config that prints a value for a server and has no permanent approval. */
export interface WaitingCommand {
  readonly id: string;
  readonly server: string;
  readonly command: readonly string[];
}

/** Returns the commands of the config that no person has approved, without duplicates. */
export async function waitingCommands(
  context: CommandContext,
  flags: ConfigFlags,
): Promise<readonly WaitingCommand[]> {
  const found = foundConfig(context, flags);
  // A missing config is not an error, because calls can wait for approval without one.
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

/** Formats a command for the list of pending approvals. */
export function commandText({ id, server, command }: WaitingCommand): string {
  return `${id}  ${server} runs this for a value at each start, --for always\n  ${wholeCommand(command)}`;
}

/** Approves exactly this command permanently, for every server of this user. */
export async function approveCommand(
  context: CommandContext,
  { id, server, command }: WaitingCommand,
): Promise<number> {
  await new ApprovalFile(context).add(commandDigest(command), asCall(server, command));
  printResult(context, { id, outcome: 'allowed', scope: 'always' }, '');
  printNote(context, `Allowed for always: ${shownCommand(command)}`);
  return ExitCode.Ok;
}
