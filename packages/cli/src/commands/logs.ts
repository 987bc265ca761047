import { ExitCode } from '../base/exit-code.js';
import { FollowedEvents } from '../live/followed-events.js';
import { statesOf } from '../live/server-state.js';
import type { McpConnection } from '../live/mcp-connection.js';
import { itemOf, missedBefore, missedText, pastItems, type LogItem } from '../live/server-log.js';
import { printable } from '../terminal/columns.js';
import { printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { serverNotFound } from '../config/named-server.js';
import { connectTo, runningInstance, type InstanceFlags } from './running-instance.js';

const DEFAULT_LINES = 50;

/** Prints the events and the last stderr lines of servers in a running mcpmux. */
export const logs: Action<InstanceFlags & { readonly follow?: boolean; readonly lines?: number }> = async (
  context,
  names,
  flags,
) => {
  const instance = runningInstance(context, flags);
  const connection = await connectTo(instance);
  // The subscription starts before the command reads past events, so that it misses no event in between.
  using following = flags.follow === true ? await FollowedEvents.open(instance) : undefined;
  try {
    await printPastEvents(context, connection, names, flags.lines ?? DEFAULT_LINES);
  } finally {
    connection.close();
  }
  if (following === undefined) return ExitCode.Ok;
  await follow(context, following, names);
  printNote(context, `The mcpmux with pid ${instance.pid} has ended.`);
  return ExitCode.Ok;
};

/** Prints events until their stream ends. Reads no further event before the reader of stdout is ready. */
async function follow(
  context: CommandContext,
  events: FollowedEvents,
  names: readonly string[],
): Promise<void> {
  for await (const event of events) {
    const item = itemOf(event);
    if (item !== undefined && (names.length === 0 || names.includes(item.server))) show(context, item);
    const missed = missedBefore(event);
    if (missed > 0) showMissed(context, String(event['time']), missed);
    await context.streams.whenOutReady();
  }
}

async function printPastEvents(
  context: CommandContext,
  connection: McpConnection,
  names: readonly string[],
  lines: number,
): Promise<void> {
  const servers = await statesOf(connection);
  const past: LogItem[] = [];
  for (const name of names.length === 0 ? servers.map((server) => server.name) : names) {
    const items = await pastItems(connection, name, lines).catch(() => {
      throw serverNotFound(name, servers, 'in the running mcpmux');
    });
    past.push(...items);
  }
  for (const item of past.toSorted((a, b) => a.time - b.time)) show(context, item);
}

function show({ flags, streams }: CommandContext, { time: at, server, text, isEvent }: LogItem): void {
  const time = new Date(at).toISOString();
  if (flags.json === true) {
    const kind = isEvent ? 'event' : 'stderr';
    return streams.out(`${JSON.stringify({ time, server, kind, text })}\n`);
  }
  const { dim, cyan, bold } = streams.outColours;
  const shown = printable(text);
  streams.out(`${dim(time)} ${cyan(server)} ${isEvent ? bold(shown) : shown}\n`);
}

function showMissed({ flags, streams }: CommandContext, time: string, count: number): void {
  const text = missedText(count);
  if (flags.json === true) return streams.out(`${JSON.stringify({ time, kind: 'missed', count, text })}\n`);
  const { dim, yellow } = streams.outColours;
  streams.out(`${dim(time)} ${yellow(text)}\n`);
}
