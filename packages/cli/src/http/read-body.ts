import type { IncomingMessage } from 'node:http';

import type { Refusal } from './refusal.js';

/** The body of a request as JSON, or why it is refused. Never holds more than the limit. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
): Promise<{ readonly json: unknown } | { readonly refusal: Refusal }> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refused(415, 'A body with a content encoding is not read. Send it without.');
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
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts))) };
  } catch {
    return refused(400, 'The body is not JSON in UTF-8.', -32_700);
  }
}

function refused(status: number, message: string, code?: number): { readonly refusal: Refusal } {
  return { refusal: { status, message, ...(code !== undefined && { code }) } };
}
