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

/** Where a message goes. */
interface McpPlace extends Pick<DashboardParts, 'mux'> {
  /** The layer whose servers it is for; undefined for those of all clients. */
  readonly layer: string | undefined;
}

/**
 * Sends one message to the mux as a client of it. Each line of the answer is one line: progress, then the response.
 *
 * @throws PageError 403; MuxError SERVER_NOT_FOUND for a layer that has ended
 */
export async function postMcp(
  message: Readonly<Record<string, unknown>>,
  response: ServerResponse,
  { mux, layer }: McpPlace,
  { mayManage }: PageRights,
): Promise<void> {
  if (!(mayManage ? USING : READING).has(message['method']))
    throw new PageError(403, 'This page may not send this request.');
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  };
  const line = Buffer.from(JSON.stringify(message));
  await mux.handle(line, { principal: HOST, signal: gone.signal, layer }, (answer) => {
    begin();
    response.write(answer);
    response.write('\n');
  });
  begin();
  response.end();
}
