import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { askInstance, InstanceRefusal, manageServer } from '../live/ask-instance.js';
import { printResult, tell, type CommandContext, type Action } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { withSpinner } from '../terminal/spinner.js';
import { z } from '../base/zod.js';
import { connectTo, runningInstance, type InstanceFlags } from './running-instance.js';

const changeSchema = z.object({
  isUsable: z.boolean(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
  problems: z.array(z.string()),
});

/** Makes a running mcpmux read its config again, or restart the named servers. */
export const reload: Action<InstanceFlags> = async (context, names, flags) => {
  const instance = runningInstance(context, flags);
  // A stopped process accepts the command and never answers; a restart may take minutes.
  (await connectTo(instance)).close();
  return names.length === 0 ? reloadConfig(context, instance) : restart(context, instance, names);
};

async function reloadConfig(context: CommandContext, instance: Announcement): Promise<number> {
  const answer = await askInstance(instance, { command: 'reload-config' }).catch((error: unknown) => {
    throw new CommandError('NOT_RUNNING', error instanceof Error ? `${error.message}.` : String(error));
  });
  const change = changeSchema.parse(answer);
  if (!change.isUsable) {
    throw new CommandError('CONFIG_INVALID', 'the config cannot be used; the servers are unchanged.', {
      details: change.problems,
      next: 'correct the config, then: mcpmux reload',
    });
  }
  for (const problem of change.problems) tell(context, problem);
  const { added, removed, changed } = change;
  const lines = [
    ...added.map((name) => `+ ${name}`),
    ...changed.map((name) => `~ ${name}`),
    ...removed.map((name) => `- ${name}`),
  ];
  printResult(context, { pid: instance.pid, ...change }, lines.join('\n'));
  if (lines.length === 0) tell(context, 'Nothing has changed.');
  return ExitCode.Ok;
}

async function restart(
  context: CommandContext,
  instance: Announcement,
  names: readonly string[],
): Promise<number> {
  const results: object[] = [];
  for (const name of names) {
    const work = manageServer(instance, 'restart', name).catch((error: unknown) => {
      throw reloadFailed(name, error);
    });
    results.push({ name, ...(await withSpinner(context, `restarting ${name}`, work)) });
    tell(context, `Restarted ${name}`);
  }
  if (context.flags.json === true) printResult(context, results, '');
  return ExitCode.Ok;
}

function reloadFailed(name: string, error: unknown): CommandError {
  const message = error instanceof Error ? error.message : String(error);
  const isUnknown = error instanceof InstanceRefusal && error.code === 'SERVER_NOT_FOUND';
  return new CommandError(isUnknown ? 'SERVER_NOT_FOUND' : 'START_FAILED', message, {
    next: isUnknown ? 'mcpmux list' : `mcpmux logs ${name}`,
  });
}
