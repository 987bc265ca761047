import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';

import type { Refusal } from '../entrance/refusal.js';
import type { HttpLimits } from '../session/http-limits.js';
import { postedBody, type PostedBody } from '../session/posted-body.js';
import { BodyScan, type BodyBounds } from './body-scan.js';
import type { Admitted } from './endpoint-parts.js';
import type { LargeBodies } from './large-bodies.js';

/** No real message has so many levels. A later check refuses more than 256 levels with an error of its own. */
const MOST_LEVELS = 1000;
/** As many as mcpmux takes from a client on the standard streams. */
const MOST_MESSAGES = 100;

const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
const OPEN_BRACE = 0x7b;
const BYTE_ORDER_MARK = Buffer.from('\u{feff}');

/** How bodies are read. */
export interface BodyReading {
  readonly limits: Pick<HttpLimits, 'maxBodyBytes' | 'maxBodyValues'>;
  readonly largeBodies: LargeBodies;
}

type Refused = { readonly refusal: Refusal };

/** The messages in the body of a request, or the refusal; undefined when its client has gone amid the body. */
export async function readBody(
  { request, headers }: Pick<Admitted, 'request' | 'headers'>,
  { limits, largeBodies }: BodyReading,
): Promise<PostedBody | Refused | undefined> {
  const encoding = headers.get('content-encoding');
  if (encoding !== undefined && encoding !== 'identity') {
    request.resume();
    return refused(415, 'A body with a content encoding is not accepted. Send the body unencoded.');
  }
  const bytes = await bodyBytes(request, Number(headers.get('content-length') ?? 0), limits);
  if (bytes === undefined) return undefined;
  if ('refusal' in bytes) {
    // Its client is still sending: the rest is discarded, and the connection serves the next request.
    request.resume();
    return bytes;
  }
  const turn = largeBodies.turn(bytes.length);
  if (turn !== undefined) await turn;
  if (!isUtf8(bytes)) return refused(400, 'The body is not JSON in UTF-8.', PARSE_ERROR);
  const hasMark = BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length));
  const body = postedBody(hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes);
  return 'problem' in body ? refused(400, body.problem, body.isJson ? INVALID_REQUEST : PARSE_ERROR) : body;
}

/** The bytes of a body, which are counted and scanned while they arrive: what is beyond a limit is refused at once. */
function bodyBytes(
  request: IncomingMessage,
  announced: number,
  limits: BodyReading['limits'],
): Promise<Buffer | Refused | undefined> {
  const { maxBodyBytes } = limits;
  const tooLarge = refused(413, `The body is above the limit of ${maxBodyBytes} bytes.`);
  if (announced > maxBodyBytes) return Promise.resolve(tooLarge);
  const bounds = new BoundedBody(limits);
  return new Promise((resolve) => {
    const take = (part: Buffer): void => {
      const refusal = bounds.take(part);
      if (refusal === undefined) return;
      request.off('data', take);
      resolve(refusal === 'size' ? tooLarge : refusal);
    };
    request.on('data', take);
    request.once('end', () => resolve(bounds.whole()));
    request.once('close', () => resolve(undefined));
  });
}

/** What has come of a body. */
class BoundedBody {
  private readonly parts: Buffer[] = [];
  private size = 0;
  private readonly bounds: BodyBounds;
  private scan: BodyScan | undefined;

  constructor(private readonly limits: BodyReading['limits']) {
    this.bounds = { levels: MOST_LEVELS, values: limits.maxBodyValues, messages: MOST_MESSAGES };
  }

  take(part: Buffer): Refused | 'size' | undefined {
    this.size += part.length;
    if (this.size > this.limits.maxBodyBytes) return 'size';
    this.parts.push(part);
    const exceeded = this.scanned(part);
    return exceeded && refused(400, problemOf(exceeded, this.bounds), INVALID_REQUEST);
  }

  whole(): Buffer {
    const [only] = this.parts;
    return this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts);
  }

  /** An object with fewer bytes than the bounds have values is within them. */
  private scanned(part: Buffer): keyof BodyBounds | undefined {
    if (this.scan !== undefined) return this.scan.read(part);
    const { levels, values } = this.bounds;
    if (this.size <= Math.min(levels, values) && this.parts[0]?.[0] === OPEN_BRACE) return undefined;
    this.scan = new BodyScan(this.bounds);
    for (const each of this.parts) {
      const exceeded = this.scan.read(each);
      if (exceeded !== undefined) return exceeded;
    }
    return undefined;
  }
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

function refused(status: number, message: string, code?: number): Refused {
  return { refusal: { status, message, ...(code !== undefined && { code }) } };
}
