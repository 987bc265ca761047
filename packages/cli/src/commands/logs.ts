import { ExitCode } from '../base/exit-code.js';
import { FollowedEvents } from '../live/followed-events.js';
import { statesOf } from '../live/server-state.js';
import type { McpConnection } from '../live/mcp-connection.js';
import {
  logItemOf,
  missedEventCount,
  missedEventsMessage,
  readPastItems,
  type LogItem,
} from '../live/server-log.js';
import { printable } from '../terminal/columns.js';
import { printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { serverNotFoundError } from '../config/named-server.js';
import { requireConnection, selectRunningInstance, type InstanceFlags } from './running-instance.js';

const DEFAULT_LINE_COUNT = 50;

/** Prints the events and the last stderr lines of servers in a running mcpmux. */
export const logs: Action<InstanceFlags & { readonly follow?: boolean; readonly lines?: number }> = async (
  context,
  names,
  flags,
) => {
  const instance = selectRunningInstance(context, flags);
  const connection = await requireConnection(instance);
  // The subscription starts before the command reads past events, so that no event in between is missed.
  using following = flags.follow === true ? await FollowedEvents.open(instance) : undefined;
  try {
    await printPastEvents(context, connection, names, flags.lines ?? DEFAULT_LINE_COUNT);
  } finally {
    connection.close();
  }
  if (following === undefined) return ExitCode.Ok;
  await printNewEvents(context, following, names);
  printNote(context, `The mcpmux with pid ${instance.pid} has ended.`);
  return ExitCode.Ok;
};

/** Prints events until their stream ends. Reads the next event only when stdout is ready for more output. */
async function printNewEvents(
  context: CommandContext,
  events: FollowedEvents,
  names: readonly string[],
): Promise<void> {
  for await (const event of events) {
    const item = logItemOf(event);
    if (item !== undefined && (names.length === 0 || names.includes(item.server))) printItem(context, item);
    const missedCount = missedEventCount(event);
    if (missedCount > 0) printMissed(context, String(event['time']), missedCount);
    await context.streams.whenStdoutReady();
  }
}

async function printPastEvents(
  context: CommandContext,
  connection: McpConnection,
  names: readonly string[],
  lineCount: number,
): Promise<void> {
  const servers = await statesOf(connection);
  const past: LogItem[] = [];
  for (const name of names.length === 0 ? servers.map((server) => server.name) : names) {
    const items = await readPastItems(connection, name, lineCount).catch(() => {
      throw serverNotFoundError(name, servers, 'in the running mcpmux');
    });
    past.push(...items);
  }
  for (const item of past.toSorted((a, b) => a.time - b.time)) printItem(context, item);
}

function printItem({ flags, streams }: CommandContext, { time: at, server, text, isEvent }: LogItem): void {
  const time = new Date(at).toISOString();
  if (flags.json === true) {
    const kind = isEvent ? 'event' : 'stderr';
    return streams.out(`${JSON.stringify({ time, server, kind, text })}\n`);
  }
  const { dim, cyan, bold } = streams.outColours;
  const shown = printable(text);
  streams.out(`${dim(time)} ${cyan(server)} ${isEvent ? bold(shown) : shown}\n`);
}

function printMissed({ flags, streams }: CommandContext, time: string, count: number): void {
  const text = missedEventsMessage(count);
  if (flags.json === true) return streams.out(`${JSON.stringify({ time, kind: 'missed', count, text })}\n`);
  const { dim, yellow } = streams.outColours;
  streams.out(`${dim(time)} ${yellow(text)}\n`);
}
