import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { askInstance } from '../live/ask-instance.js';
import { folderContext } from '../live/instance-folder.js';
import { connectInstance, runningInstances } from '../live/instances.js';
import { statesOf } from '../live/server-state.js';
import { printResult, printNote, type CommandContext } from '../terminal/command-context.js';
import { formatDuration } from '../terminal/duration.js';
import { rowsText, stateRow, type ServerRow } from './server-row.js';

interface RunningInstance {
  readonly instance: Announcement;
  readonly servers: readonly ServerRow[];
}

/** Lists every running mcpmux of this user, and its servers. */
export async function listInstances(context: CommandContext): Promise<number> {
  const instances = await Promise.all(runningInstances(folderContext()).map(readInstance));
  const running = instances.flatMap((item) => (item === undefined ? [] : [item]));
  const data = running.map(({ instance, servers }) => ({ ...instance, servers }));
  printResult(context, data, running.map((item) => instanceText(context, item)).join('\n\n'));
  if (running.length === 0) printNote(context, 'No mcpmux is running.');
  return ExitCode.Ok;
}

async function readInstance(instance: Announcement): Promise<RunningInstance | undefined> {
  const connection = await connectInstance(instance);
  if (connection === undefined) return undefined;
  try {
    const [states, calls] = await Promise.all([statesOf(connection), askInstance(instance, 'calls', {})]);
    return { instance, servers: states.map((state) => stateRow(state, calls)) };
  } finally {
    connection.close();
  }
}

function instanceText(context: CommandContext, { instance, servers }: RunningInstance): string {
  const { bold, dim } = context.streams.outColours;
  const uptime = formatDuration((Date.now() - instance.started) / 1000);
  const title = `${bold(`mcpmux ${instance.pid}`)}  up ${uptime}  ${dim(instance.config ?? instance.cwd)}`;
  return `${title}\n${servers.length === 0 ? 'no servers' : rowsText(context, servers)}`;
}
