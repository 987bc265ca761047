import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { isObject, type JsonObject } from '@mcpmux/clients';

import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { controlLine } from '../live/control-line.js';
import { connectSocket } from '../live/instances.js';
import { statesOf } from '../live/live-servers.js';
import type { McpConnection } from '../live/mcp-connection.js';
import { printable } from '../terminal/columns.js';
import type { CommandContext } from '../terminal/command-context.js';
import { serverNotFound } from './named-server.js';
import { connectTo, runningInstance, type InstanceFlags } from './running-instance.js';

/** Flags of `mcpmux logs`. */
export interface LogsFlags extends InstanceFlags {
  readonly follow?: boolean;
  readonly lines?: number;
}

const DEFAULT_LINES = 50;

/** Shows what happened to servers of a running mcpmux, and the last lines of their stderr. */
export async function logs(
  context: CommandContext,
  names: readonly string[],
  flags: LogsFlags,
): Promise<number> {
  const instance = runningInstance(context, flags);
  const connection = await connectTo(instance);
  // Before the past is shown, so that nothing between is lost.
  const following = flags.follow === true ? await connectSocket(instance) : undefined;
  following?.write(`${controlLine({ command: 'events' })}\n`);
  try {
    await showPast(context, connection, names, flags.lines ?? DEFAULT_LINES);
  } finally {
    connection.close();
  }
  if (following === undefined) return ExitCode.Ok;
  createInterface({ input: following }).on('line', (line) => showEvent(context, names, line));
  await once(following, 'close');
  return ended(context, instance);
}

async function showPast(
  context: CommandContext,
  connection: McpConnection,
  names: readonly string[],
  lines: number,
): Promise<void> {
  const known = (await statesOf(connection)).map(({ name }) => name);
  const past: PastEntry[] = [];
  for (const name of names.length === 0 ? known : names) {
    const { entries } = await connection.own('server_logs', { name, lines }).catch(() => {
      throw serverNotFound(name, known, 'in the mcpmux that runs');
    });
    const items: readonly unknown[] = Array.isArray(entries) ? entries : [];
    past.push(...items.filter(isObject).map((entry) => ({ server: name, entry, time: timeOf(entry) })));
  }
  for (const item of past.toSorted((a, b) => a.time - b.time)) showEntry(context, item);
}

/** Something that has happened to a server. */
interface PastEntry {
  readonly server: string;
  readonly entry: JsonObject;
  /** Milliseconds since 1970. */
  readonly time: number;
}

function timeOf({ seconds_ago: ago }: JsonObject): number {
  return Date.now() - Number(ago) * 1000;
}

function showEntry({ flags, streams }: CommandContext, past: PastEntry): void {
  const { server, entry } = past;
  const { kind, text } = entry;
  const time = new Date(past.time).toISOString();
  if (flags.json === true) streams.out(`${JSON.stringify({ time, server, kind, text })}\n`);
  else
    streams.out(
      `${logLine(streams.outColours, { time, server, isEvent: kind === 'event', text: String(text) })}\n`,
    );
}

function showEvent({ flags, streams }: CommandContext, names: readonly string[], text: string): void {
  const event: unknown = JSON.parse(text);
  if (!isObject(event) || typeof event['server'] !== 'string') return;
  const { server, time, type } = event;
  if (names.length > 0 && !names.includes(server)) return;
  const shown = type === 'server:stderr' ? String(event['line']) : eventText(event);
  const isEvent = type !== 'server:stderr';
  if (flags.json === true) {
    streams.out(`${JSON.stringify({ time, server, kind: isEvent ? 'event' : 'stderr', text: shown })}\n`);
  } else
    streams.out(`${logLine(streams.outColours, { time: String(time), server, isEvent, text: shown })}\n`);
}

function eventText({ type, status, error }: JsonObject): string {
  if (type === 'server:state') return typeof error === 'string' ? error : `server ${String(status)}`;
  return String(type).replace(':', ' ');
}

function logLine(
  { dim, cyan, bold }: CommandContext['streams']['outColours'],
  shown: { readonly time: string; readonly server: string; readonly isEvent: boolean; readonly text: string },
): string {
  const text = printable(shown.text);
  return `${dim(shown.time)} ${cyan(shown.server)} ${shown.isEvent ? bold(text) : text}`;
}

function ended({ flags, streams }: CommandContext, { pid }: Announcement): number {
  if (flags.quiet !== true && flags.json !== true) streams.err(`The mcpmux with pid ${pid} has ended.\n`);
  return ExitCode.Ok;
}
