import type { ServerResponse } from 'node:http';

import { HOST, isRecord } from '@mcpmux/core';

import { PageError } from '../entrance/answers.js';
import { writeBounded } from '../entrance/unread-limits.js';
import type { DashboardParts, PageRights } from './dashboard-parts.js';

/** Methods that change nothing and that mcpmux answers without a server. */
const READ_METHODS: ReadonlySet<unknown> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);
const ALLOWED_METHODS: ReadonlySet<unknown> = new Set([
  ...READ_METHODS,
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
]);

/** Where a message is sent. */
interface McpDestination extends Pick<DashboardParts, 'mux' | 'unread'> {
  /** The layer whose servers receive the message. Undefined for the servers that all clients share. */
  readonly layer: string | undefined;
  /** True if the message is a retry with which the user cancels the pending request. */
  readonly isWithdrawn?: boolean;
}

/** The answers in a retry that cancels a request. Not sent to modern servers, which have already ended the request. */
const WITHDRAWN = { withdrawn: { error: { code: -1, message: 'The user has cancelled the request' } } };

/**
 * Sends one message to the mux as a client. Each line from the mux becomes one line of the response: first progress,
 * then the result.
 *
 * @throws PageError 403; MuxError SERVER_NOT_FOUND for a layer that has ended
 */
export async function postMcp(
  message: Readonly<Record<string, unknown>>,
  response: ServerResponse,
  { mux, layer, unread, isWithdrawn = false }: McpDestination,
  { mayManage }: PageRights,
): Promise<void> {
  if (!(mayManage ? ALLOWED_METHODS : READ_METHODS).has(message['method']))
    throw new PageError(403, 'This page may not send this request.');
  const disconnected = new AbortController();
  response.on('close', () => disconnected.abort());
  const startResponse = (): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  };
  const sentMessage = isWithdrawn ? withdrawn(message) : message;
  const line = Buffer.from(JSON.stringify(sentMessage));
  const completion = mux.handle(line, { principal: HOST, signal: disconnected.signal, layer }, (answer) => {
    startResponse();
    writeBounded(response, answer, unread);
    writeBounded(response, '\n', unread);
  });
  // The mux has already read the message, so it finds the request to cancel.
  if (isWithdrawn) disconnected.abort();
  await completion;
  startResponse();
  response.end();
}

function withdrawn(message: Readonly<Record<string, unknown>>): object {
  const { params } = message;
  return { ...message, params: { ...(isRecord(params) && params), inputResponses: WITHDRAWN } };
}
