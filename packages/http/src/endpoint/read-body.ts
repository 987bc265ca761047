import type { IncomingMessage } from 'node:http';

import { isDeeperThan } from './body-depth.js';
import type { Refusal } from '../entrance/refusal.js';

/**
 * No real message has so many levels. A later check refuses more than 256 levels with an error of its own. The schemas
 * of the SDK end in a RangeError from some thousands of levels on.
 */
const MOST_LEVELS = 1000;

/** The body of a request as JSON, or the refusal. Never buffers more than the limit. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly json: unknown } | { readonly refusal: Refusal }> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refused(415, 'A body with a content encoding is not accepted. Send the body unencoded.');
  }
  const tooLarge = refused(413, `The body is above the limit of ${maxBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxBytes) return tooLarge;
    parts.push(part);
  }
  const body = Buffer.concat(parts);
  // Before parsing: a parser that recurses for each level would end in a RangeError.
  if (isDeeperThan(MOST_LEVELS, body)) {
    return refused(400, `The body is nested deeper than ${MOST_LEVELS} levels.`, -32_600);
  }
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return refused(400, 'The body is not JSON in UTF-8.', -32_700);
  }
}

function refused(status: number, message: string, code?: number): { readonly refusal: Refusal } {
  return { refusal: { status, message, ...(code !== undefined && { code }) } };
}
