import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { Parts, withoutMark } from '@mcpmux/wire';
import type { Admitted } from '../entrance/admitted.js';
import type { Refusal } from '../entrance/refusal.js';
import type { RequestHeaders } from '../entrance/request-headers.js';
import type { HttpLimits } from '../session/http-limits.js';
import { postedBody, type PostedBody } from '../session/posted-body.js';
import { BodyScan, type BodyBounds } from './body-scan.js';

/** More levels than any real message has. A later check refuses more than 256 levels with a separate error. */
const MAX_LEVELS = 1000;
/** The same maximum as for a client on the standard streams. */
const MAX_MESSAGES = 100;

const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
const OPEN_BRACE = 0x7b;
const NO_BYTES = Buffer.alloc(0);

/** The limits and the queue that a {@link BodyReader} uses. */
export interface BodyReading {
  readonly limits: Pick<HttpLimits, 'maxBodyBytes' | 'maxBodyValues'>;
  readonly largeBodies: LargeBodies;
}

type Refused = { readonly refusal: Refusal };

/** Reads the request bodies of a front. */
export class BodyReader {
  private readonly bounds: BodyBounds;
  private readonly tooLarge: Refused;
  private readonly batch = new BodyBatch();

  constructor(private readonly parts: BodyReading) {
    const { maxBodyBytes, maxBodyValues } = parts.limits;
    this.bounds = { levels: MAX_LEVELS, values: maxBodyValues, messages: MAX_MESSAGES };
    this.tooLarge = refused(413, `The body is above the limit of ${maxBodyBytes} bytes.`);
  }

  /**
   * Resolves with the messages in the body of a request, with its refusal, or with undefined if the client disconnects
   * before the end of the body. Bodies that arrive in one turn of the event loop are delivered together.
   */
  async read({
    request,
    headers,
  }: Pick<Admitted, 'request' | 'headers'>): Promise<PostedBody | Refused | undefined> {
    const announced = headers.get('content-length');
    const bytes = headersRefusal(headers) ?? (await this.bytes(request, Number(announced ?? 0)));
    if (bytes === undefined) return undefined;
    if ('refusal' in bytes) {
      // The client is still sending. The rest is discarded, so that the connection can serve the next request.
      request.resume();
      return bytes;
    }
    const batch = this.parts.largeBodies.batch(bytes.length);
    if (batch !== undefined) await batch;
    if (!isUtf8(bytes)) return NOT_UTF8;
    const body = postedBody(withoutMark(bytes));
    return 'problem' in body ? refused(400, body.problem, body.isJson ? INVALID_REQUEST : PARSE_ERROR) : body;
  }

  /**
   * Collects the bytes of a body, and counts and scans them as they arrive. Refuses a body as soon as it exceeds a
   * limit.
   */
  private bytes(request: IncomingMessage, announced: number): Promise<Buffer | Refused | undefined> {
    const { maxBodyBytes } = this.parts.limits;
    if (announced > maxBodyBytes) return Promise.resolve(this.tooLarge);
    const body = new ArrivingBody(this.bounds);
    return new Promise((resolve) => {
      const finish = (outcome: Buffer | Refused | undefined): void => {
        request.off('data', take).off('end', end).off('close', abort);
        this.batch.schedule(() => resolve(outcome));
      };
      const take = (part: Buffer): void => {
        const exceeded = body.take(part);
        if (exceeded !== undefined) finish(boundRefusal(exceeded, this.bounds));
        else if (body.size > maxBodyBytes) finish(this.tooLarge);
      };
      const end = (): void => finish(body.whole());
      const abort = (): void => finish(undefined);
      request.on('data', take).on('end', end).on('close', abort);
    });
  }
}

const NOT_UTF8 = refused(400, 'The body is not JSON in UTF-8.', PARSE_ERROR);
const ENCODED = refused(415, 'A body with a content encoding is not accepted. Send the body unencoded.');

function headersRefusal(headers: RequestHeaders): Refused | undefined {
  const encoding = headers.get('content-encoding');
  return encoding === undefined || encoding === 'identity' ? undefined : ENCODED;
}

/** The part of a body that has arrived so far. */
class ArrivingBody {
  size = 0;
  /** Most bodies arrive in one part. */
  private first: Buffer | undefined;
  /** All parts, if there are several. */
  private parts: Parts | undefined;
  private scan: BodyScan | undefined;

  constructor(private readonly bounds: BodyBounds) {}

  /** Adds the next part. Returns the bound that the body now exceeds, if any. */
  take(part: Buffer): keyof BodyBounds | undefined {
    this.size += part.length;
    this.add(part);
    if (this.scan !== undefined) return this.scan.read(part);
    const { levels, values } = this.bounds;
    // An object with no more bytes than the allowed levels and values cannot exceed a bound.
    if (this.size <= Math.min(levels, values) && this.first?.[0] === OPEN_BRACE) return undefined;
    this.scan = new BodyScan(this.bounds);
    return this.scan.read(this.whole());
  }

  whole(): Buffer {
    return this.parts?.whole() ?? this.first ?? NO_BYTES;
  }

  private add(part: Buffer): void {
    const { first } = this;
    if (first === undefined) {
      this.first = part;
      return;
    }
    if (this.parts === undefined) (this.parts = new Parts()).push(first);
    this.parts.push(part);
  }
}

function boundRefusal(exceeded: keyof BodyBounds, bounds: BodyBounds): Refused {
  return refused(400, problemOf(exceeded, bounds), INVALID_REQUEST);
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

/**
 * Runs the callbacks of one turn of the event loop together at the end of the turn, so that messages from many
 * connections are sent to each server in one write.
 */
export class BodyBatch {
  private callbacks: (() => void)[] = [];

  /** Runs `callback` at the end of the turn. `callback` must not throw, because later callbacks would be lost. */
  schedule(callback: () => void): void {
    if (this.callbacks.push(callback) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const { callbacks } = this;
    this.callbacks = [];
    for (const callback of callbacks) callback();
  }
}

/** The minimum size of a large body, in bytes. Its check takes a noticeable part of a turn of the event loop. */
const LARGE_BYTES = 64 * 1024;

/** Admits at most one large body per turn of the event loop, so that other requests are served in between. */
export class LargeBodies {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when a body of this size may be handled. Returns undefined for a small body. */
  batch(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BYTES) return undefined;
    this.last = this.last.then(() => nextTurn());
    return this.last;
  }
}
