import { messageOf } from '@mcpmux/core';

import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { applyConfig } from '../live/apply-config.js';
import { askInstance, InstanceRefusal } from '../live/ask-instance.js';
import { isBroken } from '../live/outcome.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import { requireConnection, selectRunningInstance, type InstanceFlags } from './running-instance.js';
import { rowsText, stateRow } from './server-row.js';

/** Makes a running mcpmux reload its config or restart the named servers. */
export const reload: Action<InstanceFlags> = async (context, names, flags) => {
  const instance = selectRunningInstance(context, flags);
  if (names.length === 0) return reloadConfig(context, instance);
  // A restart may take minutes, so the request has no time limit. `requireConnection` first checks that the mcpmux
  // answers, because a suspended process would accept the request and never answer.
  (await requireConnection(instance)).close();
  return restartServers(context, instance, names);
};

async function reloadConfig(context: CommandContext, instance: Announcement): Promise<number> {
  const work = applyConfig(instance).catch((error: unknown) => {
    throw new CommandError('NOT_RUNNING', error instanceof Error ? `${error.message}.` : String(error));
  });
  const applied = await withSpinner(context, 'applying the config', work);
  if (applied === undefined)
    throw new CommandError('NOT_RUNNING', `the mcpmux with pid ${instance.pid} does not answer.`);
  const { change, states } = applied;
  if (!change.isUsable) {
    throw new CommandError('CONFIG_INVALID', 'the config cannot be used; the servers are unchanged.', {
      details: change.problems,
      next: 'correct the config, then: mcpmux reload',
    });
  }
  for (const problem of change.problems) printNote(context, problem);
  const { added, removed, changed } = change;
  const lines = [
    ...added.map((name) => `+ ${name}`),
    ...changed.map((name) => `~ ${name}`),
    ...removed.map((name) => `- ${name}`),
  ];
  const failed = states.filter(
    ({ name, status }) => isBroken(status) && (added.includes(name) || changed.includes(name)),
  );
  printResult(
    context,
    { pid: instance.pid, ...change, failed: failed.map(({ name }) => name) },
    lines.join('\n'),
  );
  const { clusterProblems = [] } = change;
  for (const problem of clusterProblems) printNote(context, problem);
  if (clusterProblems.length > 0) printNote(context, 'Next: mcpmux reload, which tries again');
  else if (lines.length === 0) printNote(context, 'Nothing has changed.');
  if (failed.length === 0) return clusterProblems.length > 0 ? ExitCode.Unreachable : ExitCode.Ok;
  const rows = failed.map((state) => stateRow(state));
  printNote(context, rowsText(context, rows));
  printNote(context, `Next: mcpmux doctor ${failed[0]?.name ?? ''}`);
  return ExitCode.Unreachable;
}

async function restartServers(
  context: CommandContext,
  instance: Announcement,
  names: readonly string[],
): Promise<number> {
  const results: object[] = [];
  for (const name of names) {
    const work = askInstance(instance, 'restart', { name }).catch((error: unknown) => {
      throw restartError(name, error);
    });
    results.push({ name, ...(await withSpinner(context, `restarting ${name}`, work)) });
    printNote(context, `Restarted ${name}`);
  }
  printResult(context, results);
  return ExitCode.Ok;
}

function restartError(name: string, error: unknown): CommandError {
  const isUnknown = error instanceof InstanceRefusal && error.code === 'SERVER_NOT_FOUND';
  return new CommandError(isUnknown ? 'SERVER_NOT_FOUND' : 'START_FAILED', messageOf(error), {
    next: isUnknown ? 'mcpmux list' : `mcpmux logs ${name}`,
  });
}
