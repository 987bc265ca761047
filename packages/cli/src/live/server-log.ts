import type { JsonObject } from '@mcpmux/clients';

import type { McpConnection } from './mcp-connection.js';

/** An output line or an event of a server. */
export interface LogItem {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly server: string;
  readonly text: string;
  readonly isEvent: boolean;
}

/**
 * Returns a server's last stderr lines and events.
 *
 * @throws MuxError CALL_FAILED if the mux does not have the server
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

/** Converts an event to an item of its server's log. Returns undefined for an event without a server. */
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

/** Describes a completed call, with the reason if the call failed. */
function describeCall({ tool, ms, ending, problem }: JsonObject): string {
  const hasSucceeded = ending === 'result' && problem === undefined;
  const summary = `call of ${String(tool)}, ${String(ms)} ms`;
  return hasSucceeded
    ? summary
    : `${summary}, ${String(ending === 'result' ? 'failed' : ending)}: ${typeof problem === 'string' ? problem : ''}`;
}

/** Returns the number of events that were missed before this event. */
export function missedEventCount({ type, count }: JsonObject): number {
  return type === 'events:missed' && typeof count === 'number' ? count : 0;
}

/** Returns the message about missed events. */
export function missedEventsMessage(count: number): string {
  const events = count === 1 ? 'event was' : 'events were';
  return `${count.toLocaleString('en')} ${events} missed: they came faster than they were read`;
}
