import { HOST, isRecord } from '@mcpmux/core';

import type { DashboardParts } from './dashboard-parts.js';

const MAX_LINES = 200;

/** The maximum number of times to read a log. It is read again if an event occurs during the read. */
const MAX_READS = 3;

/**
 * Returns the last events and stderr lines of a server (the result of `server_logs` in its layer), with the number of
 * the last event before the read. The log does not contain later events, unless events occurred during every read.
 */
export async function readServerLog(
  name: string,
  layer: string | undefined,
  { mux }: Pick<DashboardParts, 'mux'>,
): Promise<object> {
  for (let readsLeft = MAX_READS; ; readsLeft -= 1) {
    const { lastEvent } = mux;
    const log = await readLog(name, layer, mux);
    if (mux.lastEvent === lastEvent || readsLeft === 1) return { ...log, lastEvent };
  }
}

async function readLog(name: string, layer: string | undefined, mux: DashboardParts['mux']): Promise<object> {
  const params = { name: 'server_logs', arguments: { name, lines: MAX_LINES } };
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  let answer: unknown;
  await mux.handle(Buffer.from(JSON.stringify(request)), { principal: HOST, layer }, (line, isResponse) => {
    if (isResponse) answer = JSON.parse(Buffer.from(line).toString('utf8'));
  });
  const { result } = isRecord(answer) ? answer : {};
  const { structuredContent } = isRecord(result) ? result : {};
  return isRecord(structuredContent) ? structuredContent : { entries: [] };
}
