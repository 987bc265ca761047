import type { ServerResponse } from 'node:http';

import { HOST } from '@mcpmux/core';

import { isRecord, PageError } from '../entrance/answers.js';
import { writeBounded } from '../entrance/unread-limits.js';
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
interface McpPlace extends Pick<DashboardParts, 'mux' | 'unread'> {
  /** The layer whose servers it is for; undefined for those of all clients. */
  readonly layer: string | undefined;
  /** The message is the retry of a request that the user gives up: what waits for its answers is cancelled. */
  readonly isWithdrawn?: boolean;
}

/**
 * A retry without an answer to any question. A server of the modern era has ended the request with its questions, and
 * gets no retry that refuses.
 */
const WITHDRAWN = { withdrawn: { error: { code: -1, message: 'The user has cancelled the request' } } };

/**
 * Sends one message to the mux as a client of it. Each line of the answer is one line: progress, then the response.
 *
 * @throws PageError 403; MuxError SERVER_NOT_FOUND for a layer that has ended
 */
export async function postMcp(
  message: Readonly<Record<string, unknown>>,
  response: ServerResponse,
  { mux, layer, unread, isWithdrawn = false }: McpPlace,
  { mayManage }: PageRights,
): Promise<void> {
  if (!(mayManage ? USING : READING).has(message['method']))
    throw new PageError(403, 'This page may not send this request.');
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  };
  const sent = isWithdrawn ? withdrawn(message) : message;
  const line = Buffer.from(JSON.stringify(sent));
  const handled = mux.handle(line, { principal: HOST, signal: gone.signal, layer }, (answer) => {
    begin();
    writeBounded(response, answer, unread);
    writeBounded(response, '\n', unread);
  });
  // The mux has read the message already, so the request is found and then cancelled.
  if (isWithdrawn) gone.abort();
  await handled;
  begin();
  response.end();
}

function withdrawn(message: Readonly<Record<string, unknown>>): object {
  const { params } = message;
  return { ...message, params: { ...(isRecord(params) && params), inputResponses: WITHDRAWN } };
}
