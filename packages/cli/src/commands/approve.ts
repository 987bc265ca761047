import type { ApprovalScope } from '@mcpmux/core/guards';

import { ExitCode } from '../base/exit-code.js';
import { ApprovalFile, type StoredApproval } from '../files/approval-file.js';
import { wholeCommand } from '../live/command-approvals.js';
import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import type { OpenApproval } from '@mcpmux/core/guards';
import { processPlaces } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { inColumns } from '../terminal/columns.js';
import { printNote, printResult, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError, usage } from '../terminal/command-error.js';
import { approveCommand, commandText, waitingCommands, type WaitingCommand } from './approve-command.js';
import type { ConfigFlags } from '../config/config-choice.js';

/** Flags of `mcpmux approve`. */
export interface ApproveFlags extends ConfigFlags {
  readonly for?: ApprovalScope;
  readonly deny?: boolean;
  readonly saved?: boolean;
  readonly forget?: string;
}

/** A call that waits for an approval, in one of the running mcpmux. */
interface Waiting {
  readonly instance: Announcement;
  readonly approval: OpenApproval;
  /** Unique among all running mcpmux. */
  readonly id: string;
}

/** The shortest digest that a person can give to withdraw an approval. */
const MIN_DIGEST = 8;

/** Lists the calls and commands that wait for an approval, or answers one of them. */
export const approve: Action<ApproveFlags> = async (context, [id], flags) => {
  if (flags.saved === true) return listSaved(context);
  if (flags.forget !== undefined) return forget(context, flags.forget);
  const all = await waiting();
  // A command that a running mcpmux asks about is answered there, so that the server starts.
  const asked = new Set(all.map(({ approval }) => approval.arguments));
  const commands = (await waitingCommands(context, flags)).filter(
    ({ command }) => !asked.has(wholeCommand(command)),
  );
  if (id === undefined) return list(context, all, commands);
  const command = commands.find((one) => one.id === id);
  if (command !== undefined && flags.deny === true)
    throw usage(
      `${id} is refused as long as it is not approved. Remove it from the config of ${command.server}.`,
    );
  if (command !== undefined) return approveCommand(context, command);
  const found = all.find((one) => one.id === id);
  if (found === undefined)
    throw new CommandError('NO_APPROVAL', `no call ${id} waits for an approval.`, { next: 'mcpmux approve' });
  return answer(context, found, flags);
};

const NONE = { approvals: [] };
/** The time limit for an answer. A suspended process accepts connections and never answers. */
const ANSWER_WITHIN_MS = 2000;

/** Returns the calls of all running mcpmux, because a person need not know which of them a client uses. */
async function waiting(): Promise<readonly Waiting[]> {
  const instances = runningInstances(processPlaces());
  return (await Promise.all(instances.map(waitingIn))).flat();
}

async function waitingIn(instance: Announcement): Promise<readonly Waiting[]> {
  const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const { approvals } = await askInstance(instance, 'approvals', {}, late).catch(() => NONE);
  return approvals.map((approval) => ({ instance, approval, id: `${instance.pid}.${approval.id}` }));
}

function list(context: CommandContext, all: readonly Waiting[], commands: readonly WaitingCommand[]): number {
  const value = all.map(({ id, instance, approval }) => ({ ...approval, id, pid: instance.pid }));
  const texts = [...all.map(shown), ...commands.map(commandText)];
  printResult(context, [...value, ...commands], texts.join('\n'));
  const [first] = [...all, ...commands];
  if (first === undefined) printNote(context, 'No call waits for an approval.');
  else printNote(context, `Next: mcpmux approve ${first.id}${all.length > 0 ? ', or with --deny' : ''}`);
  return ExitCode.Ok;
}

function shown({ id, approval }: Waiting): string {
  const { server, tool, client, scopes, arguments: args } = approval;
  const seconds = Math.max(0, Math.round((Date.now() - approval.since) / 1000));
  const of = client === undefined ? '' : ` for ${client}`;
  return `${id}  ${server}.${tool}${of}, since ${seconds} s, --for ${scopes.join('|')}\n  ${args}`;
}

async function answer(
  context: CommandContext,
  { id, instance, approval }: Waiting,
  { for: scope = 'once', deny = false }: ApproveFlags,
): Promise<number> {
  if (!deny && !approval.scopes.includes(scope))
    throw usage(`the call ${id} can be approved for: ${approval.scopes.join(', ')}.`);
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

function listSaved(context: CommandContext): number {
  const all = new ApprovalFile(context).list();
  printResult(context, all, inColumns(all.map(savedRow), context.streams.columns));
  if (all.length === 0) printNote(context, 'No approval for always is saved.');
  return ExitCode.Ok;
}

function savedRow({ digest, server, tool, client = '', since }: StoredApproval): readonly string[] {
  return [digest.slice(0, MIN_DIGEST), `${server}.${tool}`, client, new Date(since).toISOString()];
}

async function forget(context: CommandContext, id: string): Promise<number> {
  if (id !== 'all' && id.length < MIN_DIGEST) throw usage('give an id of mcpmux approve --saved, or all.');
  const count = await new ApprovalFile(context).forget(id === 'all' ? '' : id);
  if (count === 0 && id !== 'all')
    throw new CommandError('NO_APPROVAL', `no saved approval has the id ${id}.`, {
      next: 'mcpmux approve --saved',
    });
  printResult(context, { forgotten: count }, '');
  printNote(context, `Withdrawn: ${count}`);
  return ExitCode.Ok;
}
