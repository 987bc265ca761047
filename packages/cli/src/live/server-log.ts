import type { JsonObject } from '@mcpmux/clients';

import type { McpConnection } from './mcp-connection.js';

/** An item of a server's log: an output line or an event. */
export interface LogItem {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly server: string;
  readonly text: string;
  readonly isEvent: boolean;
}

/**
 * Returns a server's last stderr lines and events.
 *
 * @throws MuxError CALL_FAILED if the mux has no server with this name
 */
export async function readPastItems(
  connection: McpConnection,
  server: string,
  lines: number,
): Promise<readonly LogItem[]> {
  const entries = await connection.listFromOwnTool('server_logs', 'entries', { name: server, lines });
  const now = Date.now();
  return entries.map(({ seconds_ago: ago, text, kind }) => ({
    time: now - Number(ago) * 1000,
    server,
    text: String(text),
    isEvent: kind === 'event',
  }));
}

/** Converts an event to a log item. Returns undefined if the event does not concern a server. */
export function logItemOf(event: JsonObject): LogItem | undefined {
  const { server, time, type, line, status, error } = event;
  if (typeof server !== 'string') return undefined;
  const timestamp = Date.parse(String(time));
  if (type === 'call:end') return { time: timestamp, server, text: describeCall(event), isEvent: true };
  if (type === 'server:stderr' || type === 'server:stdout')
    return { time: timestamp, server, text: String(line), isEvent: false };
  const stateText = typeof error === 'string' ? error : `server ${String(status)}`;
  const text = type === 'server:state' ? stateText : String(type).replace(':', ' ');
  return { time: timestamp, server, text, isEvent: true };
}

function describeCall({ tool, ms, ending, problem }: JsonObject): string {
  const hasSucceeded = ending === 'result' && problem === undefined;
  const summary = `call of ${String(tool)}, ${String(ms)} ms`;
  return hasSucceeded
    ? summary
    : `${summary}, ${String(ending === 'result' ? 'failed' : ending)}: ${typeof problem === 'string' ? problem : ''}`;
}

/** Returns how many events were missed, or 0 if the event does not report missed events. */
export function missedEventCount({ type, count }: JsonObject): number {
  return type === 'events:missed' && typeof count === 'number' ? count : 0;
}

/** Returns a message that reports missed events. */
export function missedEventsMessage(count: number): string {
  const events = count === 1 ? 'event was' : 'events were';
  return `${count.toLocaleString('en')} ${events} missed: they came faster than they were read`;
}
