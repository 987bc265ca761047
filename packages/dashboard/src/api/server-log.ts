import { HOST } from '@mcpmux/core';

import { isRecord } from '../entrance/answers.js';
import type { DashboardParts } from './dashboard-parts.js';

const LINES = 200;

/** The last events and stderr lines of a server: the answer of `server_logs` in its layer. */
export async function serverLog(
  name: string,
  layer: string | undefined,
  { mux }: Pick<DashboardParts, 'mux'>,
): Promise<unknown> {
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
