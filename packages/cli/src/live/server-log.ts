import type { JsonObject } from '@mcpmux/clients';

import type { McpConnection } from './mcp-connection.js';

/** An output or an event of a server. */
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
export async function pastOf(
  connection: McpConnection,
  server: string,
  lines: number,
): Promise<readonly LogItem[]> {
  const entries = await connection.ownList('server_logs', 'entries', { name: server, lines });
  const now = Date.now();
  return entries.map(({ seconds_ago: ago, text, kind }) => ({
    time: now - Number(ago) * 1000,
    server,
    text: String(text),
    isEvent: kind === 'event',
  }));
}

/** Returns an event as an item of its server's log. Undefined for an event without a server. */
export function itemOf(event: JsonObject): LogItem | undefined {
  const { server, time, type, line, status, error } = event;
  if (typeof server !== 'string') return undefined;
  const at = Date.parse(String(time));
  if (type === 'call:end') return { time: at, server, text: endedCall(event), isEvent: true };
  if (type === 'server:stderr' || type === 'server:stdout')
    return { time: at, server, text: String(line), isEvent: false };
  const state = typeof error === 'string' ? error : `server ${String(status)}`;
  const text = type === 'server:state' ? state : String(type).replace(':', ' ');
  return { time: at, server, text, isEvent: true };
}

/** Returns the text for a call that has ended, with the reason if the call failed. */
function endedCall({ tool, ms, ending, problem }: JsonObject): string {
  const isFine = ending === 'result' && problem === undefined;
  const took = `call of ${String(tool)}, ${String(ms)} ms`;
  return isFine
    ? took
    : `${took}, ${String(ending === 'result' ? 'failed' : ending)}: ${typeof problem === 'string' ? problem : ''}`;
}

/** Returns the number of events that the reader of an event stream missed before this event. */
export function missedBefore({ type, count }: JsonObject): number {
  return type === 'events:missed' && typeof count === 'number' ? count : 0;
}

/** Returns the message about missed events. */
export function missedText(count: number): string {
  const events = count === 1 ? 'event was' : 'events were';
  return `${count.toLocaleString('en')} ${events} missed: they came faster than they were read`;
}
