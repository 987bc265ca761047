import type { ApprovalScope } from '@mcpmux/core/guards';

import { ExitCode } from '../base/exit-code.js';
import { ApprovalFile, type StoredApproval } from '../files/approval-file.js';
import { escapedCommand } from '../live/command-approvals.js';
import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import type { OpenApproval } from '@mcpmux/core/guards';
import { folderContext } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { inColumns } from '../terminal/columns.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError, usageError } from '../terminal/command-error.js';
import {
  approveCommand,
  commandText,
  unapprovedCommands,
  type UnapprovedCommand,
} from './approve-command.js';
import type { ConfigFlags } from '../config/config-choice.js';

/** Flags of `mcpmux approve`. */
export interface ApproveFlags extends ConfigFlags {
  readonly for?: ApprovalScope;
  readonly deny?: boolean;
  readonly saved?: boolean;
  readonly forget?: string;
}

/** A call that waits for approval in a running mcpmux instance. */
interface WaitingCall {
  readonly instance: Announcement;
  readonly approval: OpenApproval;
  /** The instance's process id and the approval's id, separated by a dot, such as `4711.3`. */
  readonly id: string;
}

/** The minimum length of the digest prefix that `--forget` accepts. */
const MIN_DIGEST_LENGTH = 8;

/** Lists what waits for approval, approves a call or command, or denies a call. Also manages saved approvals. */
export const approve: Action<ApproveFlags> = async (context, [id], flags) => {
  if (flags.saved === true) return printSavedApprovals(context);
  if (flags.forget !== undefined) return forget(context, flags.forget);
  const calls = await waitingCalls();
  // If a running mcpmux waits for a command's approval, only its call is listed: the answer must reach that instance.
  const askedCommands = new Set(calls.map(({ approval }) => approval.arguments));
  const commands = (await unapprovedCommands(context, flags)).filter(
    ({ command }) => !askedCommands.has(escapedCommand(command)),
  );
  if (id === undefined) return printWaiting(context, calls, commands);
  const command = commands.find((one) => one.id === id);
  if (command !== undefined && flags.deny === true)
    throw usageError(
      `${id} is refused as long as it is not approved. Remove it from the config of ${command.server}.`,
    );
  if (command !== undefined) return approveCommand(context, command);
  const found = calls.find((one) => one.id === id);
  if (found === undefined)
    throw new CommandError('NO_APPROVAL', `no call ${id} waits for an approval.`, { next: 'mcpmux approve' });
  return answer(context, found, flags);
};

const NO_APPROVALS = { approvals: [] };
/** How long to wait for an instance's response. A suspended process still accepts connections but never responds. */
const ANSWER_TIMEOUT_MS = 2000;

/** Returns the waiting calls of all running instances, because users may not know which instance serves a client. */
async function waitingCalls(): Promise<readonly WaitingCall[]> {
  const instances = runningInstances(folderContext());
  return (await Promise.all(instances.map(waitingCallsIn))).flat();
}

async function waitingCallsIn(instance: Announcement): Promise<readonly WaitingCall[]> {
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const { approvals } = await askInstance(instance, 'approvals', {}, timeout).catch(() => NO_APPROVALS);
  return approvals.map((approval) => ({ instance, approval, id: `${instance.pid}.${approval.id}` }));
}

function printWaiting(
  context: CommandContext,
  calls: readonly WaitingCall[],
  commands: readonly UnapprovedCommand[],
): number {
  const value = calls.map(({ id, instance, approval }) => ({ ...approval, id, pid: instance.pid }));
  const texts = [...calls.map(callText), ...commands.map(commandText)];
  printResult(context, [...value, ...commands], texts.join('\n'));
  const [first] = [...calls, ...commands];
  if (first === undefined) printNote(context, 'No call waits for an approval.');
  else printNote(context, `Next: mcpmux approve ${first.id}${calls.length > 0 ? ', or with --deny' : ''}`);
  return ExitCode.Ok;
}

function callText({ id, approval }: WaitingCall): string {
  const { server, tool, client, scopes, arguments: args } = approval;
  const seconds = Math.max(0, Math.round((Date.now() - approval.since) / 1000));
  const forClient = client === undefined ? '' : ` for ${client}`;
  return `${id}  ${server}.${tool}${forClient}, since ${seconds} s, --for ${scopes.join('|')}\n  ${args}`;
}

async function answer(
  context: CommandContext,
  { id, instance, approval }: WaitingCall,
  { for: scope = 'once', deny = false }: ApproveFlags,
): Promise<number> {
  if (!deny && !approval.scopes.includes(scope))
    throw usageError(`the call ${id} can be approved for: ${approval.scopes.join(', ')}.`);
  const { isAnswered } = await askInstance(instance, 'approvals', {
    answer: { id: approval.id, isAllowed: !deny, scope: deny ? 'once' : scope },
  });
  if (!isAnswered)
    throw new CommandError('NO_APPROVAL', `the call ${id} no longer waits.`, {
      next: 'mcpmux approve',
    });
  const outcome = deny ? 'refused' : 'allowed';
  printResult(context, { id, outcome, ...(!deny && { scope }) }, '');
  printNote(context, `${deny ? 'Refused' : 'Allowed'} ${approval.server}.${approval.tool}`);
  return ExitCode.Ok;
}

function printSavedApprovals(context: CommandContext): number {
  const approvals = new ApprovalFile(context).list();
  printResult(context, approvals, inColumns(approvals.map(approvalRow), context.streams.columns));
  if (approvals.length === 0) printNote(context, 'No approval for always is saved.');
  return ExitCode.Ok;
}

function approvalRow({ digest, server, tool, client = '', since }: StoredApproval): readonly string[] {
  return [digest.slice(0, MIN_DIGEST_LENGTH), `${server}.${tool}`, client, new Date(since).toISOString()];
}

async function forget(context: CommandContext, id: string): Promise<number> {
  if (id !== 'all' && id.length < MIN_DIGEST_LENGTH)
    throw usageError('give an id of mcpmux approve --saved, or all.');
  const count = await new ApprovalFile(context).withdraw(id === 'all' ? '' : id);
  if (count === 0 && id !== 'all')
    throw new CommandError('NO_APPROVAL', `no saved approval has the id ${id}.`, {
      next: 'mcpmux approve --saved',
    });
  printResult(context, { forgotten: count }, '');
  printNote(context, `Withdrawn: ${count}`);
  return ExitCode.Ok;
}
