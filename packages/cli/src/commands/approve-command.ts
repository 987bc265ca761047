import { loadConfig } from '@mcpmux/config';

import { ExitCode } from '../base/exit-code.js';
import { ApprovalFile } from '../files/approval-file.js';
import {
  asCall,
  commandDigest,
  isApproved,
  maskedCommand,
  escapedCommand,
} from '../live/command-approvals.js';
import { printNote, printResult, type CommandContext } from '../terminal/command-context.js';
import { findSelectedConfig, type ConfigFlags } from '../config/config-choice.js';

/** A `${cmd:…}` command in the config that has no permanent approval. */
export interface UnapprovedCommand {
  readonly id: string;
  readonly server: string;
  readonly command: readonly string[];
}

/** Returns the distinct commands in the config that have no permanent approval. */
export async function unapprovedCommands(
  context: CommandContext,
  flags: ConfigFlags,
): Promise<readonly UnapprovedCommand[]> {
  const lookup = findSelectedConfig(context, flags);
  // A missing config is not an error, because a running mcpmux may still have calls that wait for approval.
  if (lookup.kind !== 'found') return [];
  const store = new ApprovalFile(context);
  const waiting = new Map<string, UnapprovedCommand>();
  for (const server of loadConfig(lookup.location, context).servers) {
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
export function commandText({ id, server, command }: UnapprovedCommand): string {
  return `${id}  ${server} runs this for a value at each start, --for always\n  ${escapedCommand(command)}`;
}

/** Approves exactly this command permanently, for all servers of this user. */
export async function approveCommand(
  context: CommandContext,
  { id, server, command }: UnapprovedCommand,
): Promise<number> {
  await new ApprovalFile(context).add(commandDigest(command), asCall(server, command));
  printResult(context, { id, outcome: 'allowed', scope: 'always' }, '');
  printNote(context, `Allowed for always: ${maskedCommand(command)}`);
  return ExitCode.Ok;
}
