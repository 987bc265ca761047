import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { windowsOf, type WindowOfInstance } from '../live/ask-instance.js';
import { processPlaces } from '../live/instance-folder.js';
import { runningInstances } from '../live/instances.js';
import { printResult, tell, type Action, type CommandContext } from '../terminal/command-context.js';
import { CommandError } from '../terminal/command-error.js';
import { duration } from '../terminal/duration.js';

type Command = Parameters<typeof windowsOf>[1];

/** Flags of the commands about shared processes. */
interface SharedFlags {
  /** The process id of the shared process; all of them when absent. */
  readonly pid?: number;
}

interface SharedProcess {
  readonly instance: Announcement;
  readonly windows: readonly Omit<WindowOfInstance, 'id'>[];
}

/** Lists the processes that windows share, and their windows. */
export const status: Action<SharedFlags> = async (context, _words, flags) => {
  const all = await asked('windows', flags);
  const data = all.map(({ instance, windows }) => ({ ...instance, windows }));
  printResult(context, data, all.map((one) => textOf(context, one)).join('\n\n'));
  if (all.length === 0)
    tell(context, 'No windows share a mcpmux. mcpmux list shows the servers of the config.');
  return ExitCode.Ok;
};

/** Ends the processes that windows share. A window starts the next one when its client sends something. */
export const stop: Action<SharedFlags> = (context, _words, flags) => end('stop', context, flags);

/** Ends the processes that windows share. Their windows start the next one at once. */
export const restart: Action<SharedFlags> = (context, _words, flags) => end('restart-shared', context, flags);

async function end(command: Command, context: CommandContext, flags: SharedFlags): Promise<number> {
  const ended = await asked(command, flags);
  if (ended.length === 0)
    throw new CommandError('NOT_RUNNING', 'no windows share a mcpmux.', {
      next: 'mcpmux reload NAME restarts a server, mcpmux disable NAME keeps it from starting; mcpmux install CLIENT --shared lets windows share',
    });
  const data = ended.map(({ instance: { pid }, windows }) => ({ pid, windows: windows.length }));
  const done = command === 'stop' ? 'Stopped' : 'Restarted';
  if (context.flags.json === true) printResult(context, data, '');
  for (const { pid, windows } of data) tell(context, `${done} mcpmux ${pid} (windows: ${windows})`);
  return ExitCode.Ok;
}

/** Those of the shared processes that answer. */
async function asked(command: Command, { pid }: SharedFlags): Promise<readonly SharedProcess[]> {
  const shared = runningInstances(processPlaces()).filter(
    (instance) => instance.shared === true && (pid === undefined || instance.pid === pid),
  );
  const answers = await Promise.all(shared.map((instance) => askedOne(instance, command)));
  return answers.flatMap((answer) => answer ?? []);
}

async function askedOne(instance: Announcement, command: Command): Promise<SharedProcess | undefined> {
  const windows = await windowsOf(instance, command).catch(() => undefined);
  return windows && { instance, windows: windows.map(({ pid, cwd, since }) => ({ pid, cwd, since })) };
}

function textOf(context: CommandContext, { instance, windows }: SharedProcess): string {
  const { bold, dim } = context.streams.outColours;
  const up = duration((Date.now() - instance.started) / 1000);
  const { pid, version, config = 'without a config' } = instance;
  const rows = windows.map((window) => `  window of process ${window.pid} in ${window.cwd}`);
  const title = `${bold(`mcpmux ${pid}`)}  version ${version}  up ${up}  ${dim(config)}`;
  return [title, ...(rows.length === 0 ? ['  no windows'] : rows)].join('\n');
}
