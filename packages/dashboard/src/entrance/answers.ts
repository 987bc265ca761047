import type { IncomingMessage, ServerResponse } from 'node:http';

import { isRecord, parsedJson } from '@mcpmux/core';

/** Thrown for a request that cannot be served. Contains the response's status. */
export class PageError extends Error {
  override readonly name = 'PageError';

  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The maximum size of a request body, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Sends a JSON value as the response. */
export function answerJson(response: ServerResponse, value: unknown, status = 200): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/**
 * Reads the JSON object in a request's body.
 *
 * @throws PageError 413, 400
 */
export async function readBody(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new PageError(413, 'The body has more than 1 MiB.');
    chunks.push(chunk);
  }
  const value = parsedJson(Buffer.concat(chunks).toString('utf8'));
  if (isRecord(value)) return value;
  throw new PageError(400, 'The body is not a JSON object.');
}

/**
 * Returns a nonempty string from a request body.
 *
 * @throws PageError 400
 */
export function stringIn(body: Readonly<Record<string, unknown>>, key: string): string {
  const { [key]: value } = body;
  if (typeof value === 'string' && value !== '') return value;
  throw new PageError(400, `The body has no ${key}.`);
}
