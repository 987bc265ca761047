import { get, type Json } from './connection.js';
import { keyOf, layerQuery, serverKey } from './layers.js';
import { logLine, type LogLine } from './model.js';
import type { ServerView } from '../src/data/overview-shown.js';

/** The log lines from before the page was opened. */
export interface StoredLog {
  readonly lines: readonly LogLine[];
  /** The last event that the lines of a server contain, by server key. */
  readonly lastEvents: ReadonlyMap<string, number>;
}

const MAX_SERVERS = 50;

interface Answer {
  readonly entries?: readonly Json[];
  readonly lastEvent: number;
}

/** Reads the stored lines of the first servers. A server that was removed in the meantime has none. */
export async function storedLog(
  servers: readonly Pick<ServerView, 'name' | 'layer'>[],
  now: number,
): Promise<StoredLog> {
  const read = servers.slice(0, MAX_SERVERS).map(async (server) => ({ server, answer: await logOf(server) }));
  const logs = (await Promise.all(read)).flatMap(({ server, answer }) =>
    answer === undefined ? [] : [{ server, answer }],
  );
  return {
    lines: logs
      .flatMap(({ server, answer }) => (answer.entries ?? []).map((entry) => lineOf(server, entry, now)))
      .toSorted((a, b) => a.time - b.time),
    lastEvents: new Map(logs.map(({ server, answer }) => [keyOf(server), answer.lastEvent])),
  };
}

/** True for an event whose line the stored log contains. */
export function isStored({ server, layer, sequence }: Json, { lastEvents }: StoredLog): boolean {
  if (typeof server !== 'string' || typeof sequence !== 'number') return false;
  const key = serverKey({ server, ...(typeof layer === 'string' && { layer }) });
  return sequence <= (lastEvents.get(key) ?? 0);
}

async function logOf({ name, layer }: Pick<ServerView, 'name' | 'layer'>): Promise<Answer | undefined> {
  const path = `log?server=${encodeURIComponent(name)}&${layerQuery(layer)}`;
  return get<Answer>(path).catch(() => undefined);
}

function lineOf({ name, layer }: Pick<ServerView, 'name' | 'layer'>, entry: Json, now: number): LogLine {
  const { seconds_ago: ago, text, kind } = entry;
  return logLine({
    time: now - Number(ago) * 1000,
    server: name,
    ...(layer !== undefined && { layer }),
    text: String(text),
    kind: kind as LogLine['kind'],
  });
}
