import type { ServerResponse } from 'node:http';

import { HOST } from '@mcpmux/core';

import { PageError } from '../entrance/answers.js';
import type { DashboardParts, PageRights } from './dashboard-parts.js';

/** Methods that change nothing and reach no server. */
const READING: ReadonlySet<unknown> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);
const USING: ReadonlySet<unknown> = new Set([
  ...READING,
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
]);

/**
 * Sends one message to the mux as a client of it. Each line of the answer is one line: progress, then the response.
 *
 * @throws PageError 403
 */
export async function postMcp(
  message: Readonly<Record<string, unknown>>,
  response: ServerResponse,
  { mux }: Pick<DashboardParts, 'mux'>,
  { mayManage }: PageRights,
): Promise<void> {
  if (!(mayManage ? USING : READING).has(message['method']))
    throw new PageError(403, 'This page may not send this request.');
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  const line = Buffer.from(JSON.stringify(message));
  await mux.handle(line, { principal: HOST, signal: gone.signal }, (answer) => {
    response.write(answer);
    response.write('\n');
  });
  response.end();
}
