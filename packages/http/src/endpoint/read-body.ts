import type { IncomingMessage } from 'node:http';

import { idProblem } from '../session/body-kind.js';
import type { Refusal } from '../entrance/refusal.js';
import type { HttpLimits } from '../session/http-limits.js';
import { BodyScan, type BodyBounds } from './body-scan.js';
import type { LargeBodies } from './large-bodies.js';

/**
 * No real message has so many levels. A later check refuses more than 256 levels with an error of its own. The schemas
 * of the SDK end in a RangeError from some thousands of levels on.
 */
const MOST_LEVELS = 1000;
/** As many as mcpmux takes from a client on the standard streams. */
const MOST_MESSAGES = 100;

const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;

/** How bodies are read. */
export interface BodyReading {
  readonly limits: Pick<HttpLimits, 'maxBodyBytes' | 'maxBodyValues'>;
  readonly largeBodies: LargeBodies;
}

type Refused = { readonly refusal: Refusal };

/** The body of a request as JSON, or the refusal. Buffers and builds no more than the limits allow. */
export async function readBody(
  request: IncomingMessage,
  { limits, largeBodies }: BodyReading,
): Promise<{ readonly json: unknown } | Refused> {
  const bytes = await bodyBytes(request, limits);
  if ('refusal' in bytes) {
    // Its client is still sending: the rest is discarded, and the connection serves the next request.
    request.resume();
    return bytes;
  }
  await largeBodies.turn(bytes.length);
  const json = parsed(bytes);
  if ('refusal' in json) return json;
  const problem = idProblem(json.json);
  if (problem !== undefined) return refused(400, problem, INVALID_REQUEST);
  await largeBodies.turn(bytes.length);
  return json;
}

/** The bytes of a body, which are counted and scanned while they arrive: what is beyond a limit is refused at once. */
async function bodyBytes(
  request: IncomingMessage,
  { maxBodyBytes, maxBodyValues }: BodyReading['limits'],
): Promise<Buffer | Refused> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return refused(415, 'A body with a content encoding is not accepted. Send the body unencoded.');
  }
  const tooLarge = refused(413, `The body is above the limit of ${maxBodyBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge;
  const bounds: BodyBounds = { levels: MOST_LEVELS, values: maxBodyValues, messages: MOST_MESSAGES };
  const scan = new BodyScan(bounds);
  const parts: Buffer[] = [];
  let size = 0;
  // A request that is refused amid its body is not destroyed: its client is to read the refusal.
  const arriving = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const part of arriving) {
    size += part.length;
    if (size > maxBodyBytes) return tooLarge;
    const exceeded = scan.read(part);
    if (exceeded !== undefined) return refused(400, problemOf(exceeded, bounds), INVALID_REQUEST);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function problemOf(exceeded: keyof BodyBounds, { levels, values, messages }: BodyBounds): string {
  switch (exceeded) {
    case 'levels':
      return `The body is nested deeper than ${levels} levels.`;
    case 'values':
      return `The body has more than ${values} values, keys included.`;
    case 'messages':
      return `The batch has more than ${messages} messages.`;
  }
}

function parsed(bytes: Buffer): { readonly json: unknown } | Refused {
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) };
  } catch {
    return refused(400, 'The body is not JSON in UTF-8.', PARSE_ERROR);
  }
}

function refused(status: number, message: string, code?: number): Refused {
  return { refusal: { status, message, ...(code !== undefined && { code }) } };
}
