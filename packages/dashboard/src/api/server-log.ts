import { HOST } from '@mcpmux/core';

import { isRecord } from '../entrance/answers.js';
import type { DashboardParts } from './dashboard-parts.js';

const LINES = 200;

/** A log that has got a line while it was read is read again, at most so often. */
const TRIES = 3;

/**
 * Returns the last events and stderr lines of a server (the answer of `server_logs` in its layer), with the number of the
 * last event before them: the events after this number are the lines that the log does not have. Only the log of a server
 * that wrote during every try can have some lines of later events, too.
 */
export async function serverLog(
  name: string,
  layer: string | undefined,
  { mux }: Pick<DashboardParts, 'mux'>,
): Promise<object> {
  for (let left = TRIES; ; left -= 1) {
    const { lastEvent } = mux;
    const log = await logOf(name, layer, mux);
    if (mux.lastEvent === lastEvent || left === 1) return { ...log, lastEvent };
  }
}

async function logOf(name: string, layer: string | undefined, mux: DashboardParts['mux']): Promise<object> {
  const params = { name: 'server_logs', arguments: { name, lines: LINES } };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  let answer: unknown;
  await mux.handle(Buffer.from(JSON.stringify(request)), { principal: HOST, layer }, (line, isResponse) => {
    if (isResponse) answer = JSON.parse(Buffer.from(line).toString('utf8'));
  });
  const { result } = isRecord(answer) ? answer : {};
  const { structuredContent } = isRecord(result) ? result : {};
  return isRecord(structuredContent) ? structuredContent : { entries: [] };
}
