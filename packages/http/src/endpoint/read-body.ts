import type { IncomingMessage } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { Parts, withoutMark } from '@mcpmux/wire';
import type { Admitted } from '../entrance/admitted.js';
import type { Refusal } from '../entrance/refusal.js';
import type { RequestHeaders } from '../entrance/request-headers.js';
import type { HttpLimits } from '../session/http-limits.js';
import { readPostedBody, type PostedBody } from '../session/posted-body.js';
import { BodyScan, type BodyBounds } from './body-scan.js';

/** No real message has so many levels. A later check rejects more than 256 levels with its own error. */
const MAX_LEVELS = 1000;
/** The same maximum applies to clients on stdio. */
const MAX_MESSAGES = 100;

const INVALID_REQUEST = -32_600;
const PARSE_ERROR = -32_700;
const OPEN_BRACE = 0x7b;
const NO_BYTES = Buffer.alloc(0);

/** The limits and the gate of a {@link BodyReader}. */
export interface BodyReaderParts {
  readonly limits: Pick<HttpLimits, 'maxBodyBytes' | 'maxBodyValues'>;
  readonly largeBodyGate: LargeBodyGate;
}

type RefusedBody = { readonly refusal: Refusal };

/** Reads the bodies of a front's requests. */
export class BodyReader {
  private readonly bounds: BodyBounds;
  private readonly tooLargeRefusal: RefusedBody;
  private readonly bodyBatch = new BodyBatch();

  constructor(private readonly parts: BodyReaderParts) {
    const { maxBodyBytes, maxBodyValues } = parts.limits;
    this.bounds = { levels: MAX_LEVELS, values: maxBodyValues, messages: MAX_MESSAGES };
    this.tooLargeRefusal = refusedBody(413, `The body is above the limit of ${maxBodyBytes} bytes.`);
  }

  /**
   * Resolves to the messages in a request's body, to an error response, or to undefined if the client disconnects
   * before the body's end. Bodies that arrive in the same turn of the event loop are delivered together.
   */
  async read({
    request,
    headers,
  }: Pick<Admitted, 'request' | 'headers'>): Promise<PostedBody | RefusedBody | undefined> {
    const contentLength = headers.get('content-length');
    const bytes = encodingRefusal(headers) ?? (await this.readBytes(request, Number(contentLength ?? 0)));
    if (bytes === undefined) return undefined;
    if ('refusal' in bytes) {
      // The client is still sending. The rest is discarded, so that the connection can serve the next request.
      request.resume();
      return bytes;
    }
    const admission = this.parts.largeBodyGate.whenAdmitted(bytes.length);
    if (admission !== undefined) await admission;
    if (!isUtf8(bytes)) return NOT_UTF8;
    const body = readPostedBody(withoutMark(bytes));
    return 'problem' in body
      ? refusedBody(400, body.problem, body.isJson ? INVALID_REQUEST : PARSE_ERROR)
      : body;
  }

  /** Collects, counts and scans the bytes of a body as they arrive. Rejects a body as soon as it exceeds a limit. */
  private readBytes(
    request: IncomingMessage,
    contentLength: number,
  ): Promise<Buffer | RefusedBody | undefined> {
    const { maxBodyBytes } = this.parts.limits;
    if (contentLength > maxBodyBytes) return Promise.resolve(this.tooLargeRefusal);
    const body = new ArrivingBody(this.bounds);
    return new Promise((resolve) => {
      const finish = (outcome: Buffer | RefusedBody | undefined): void => {
        request.off('data', onData).off('end', onEnd).off('close', onClose);
        this.bodyBatch.schedule(() => resolve(outcome));
      };
      const onData = (part: Buffer): void => {
        const exceededBound = body.receivePart(part);
        if (exceededBound !== undefined) finish(boundRefusal(exceededBound, this.bounds));
        else if (body.byteCount > maxBodyBytes) finish(this.tooLargeRefusal);
      };
      const onEnd = (): void => finish(body.wholeBody());
      const onClose = (): void => finish(undefined);
      request.on('data', onData).on('end', onEnd).on('close', onClose);
    });
  }
}

const NOT_UTF8 = refusedBody(400, 'The body is not JSON in UTF-8.', PARSE_ERROR);
const ENCODED_BODY = refusedBody(
  415,
  'A body with a content encoding is not accepted. Send the body unencoded.',
);

function encodingRefusal(headers: RequestHeaders): RefusedBody | undefined {
  const encoding = headers.get('content-encoding');
  return encoding === undefined || encoding === 'identity' ? undefined : ENCODED_BODY;
}

/** The chunks of a body received so far. */
class ArrivingBody {
  byteCount = 0;
  /** The first chunk, which is usually the whole body. */
  private firstPart: Buffer | undefined;
  /** All chunks, once there is more than one. */
  private allParts: Parts | undefined;
  private bodyScan: BodyScan | undefined;

  constructor(private readonly bounds: BodyBounds) {}

  /** Adds the next chunk. Returns the limit that the body now exceeds, if any. */
  receivePart(part: Buffer): keyof BodyBounds | undefined {
    this.byteCount += part.length;
    this.append(part);
    if (this.bodyScan !== undefined) return this.bodyScan.read(part);
    const { levels, values } = this.bounds;
    // An object shorter than both limits in bytes cannot exceed them in levels or values.
    if (this.byteCount <= Math.min(levels, values) && this.firstPart?.[0] === OPEN_BRACE) return undefined;
    this.bodyScan = new BodyScan(this.bounds);
    return this.bodyScan.read(this.wholeBody());
  }

  wholeBody(): Buffer {
    return this.allParts?.whole() ?? this.firstPart ?? NO_BYTES;
  }

  private append(part: Buffer): void {
    const { firstPart } = this;
    if (firstPart === undefined) {
      this.firstPart = part;
      return;
    }
    if (this.allParts === undefined) (this.allParts = new Parts()).push(firstPart);
    this.allParts.push(part);
  }
}

function boundRefusal(exceededBound: keyof BodyBounds, bounds: BodyBounds): RefusedBody {
  return refusedBody(400, boundProblem(exceededBound, bounds), INVALID_REQUEST);
}

function boundProblem(exceededBound: keyof BodyBounds, { levels, values, messages }: BodyBounds): string {
  switch (exceededBound) {
    case 'levels':
      return `The body is nested deeper than ${levels} levels.`;
    case 'values':
      return `The body has more than ${values} values, keys included.`;
    case 'messages':
      return `The batch has more than ${messages} messages.`;
  }
}

function refusedBody(status: number, message: string, code?: number): RefusedBody {
  return { refusal: { status, message, ...(code !== undefined && { code }) } };
}

/**
 * Runs one turn's callbacks together at the end of that turn of the event loop, so that messages from many connections
 * are sent to each server in one write.
 */
export class BodyBatch {
  private callbacks: (() => void)[] = [];

  /** Runs `callback` at the end of the turn. `callback` must not throw, because later callbacks would then be lost. */
  schedule(callback: () => void): void {
    if (this.callbacks.push(callback) === 1) setImmediate(() => this.flush());
  }

  private flush(): void {
    const { callbacks } = this;
    this.callbacks = [];
    for (const callback of callbacks) callback();
  }
}

/** The minimum size of a large body, in bytes. Parsing a large body delays other requests noticeably. */
const LARGE_BODY_BYTES = 64 * 1024;

/** Admits at most one large body per turn of the event loop, so that other requests are served in between. */
export class LargeBodyGate {
  private lastAdmission: Promise<void> = Promise.resolve();

  /** Resolves when a body of this size may be processed. Returns undefined for a small body. */
  whenAdmitted(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BODY_BYTES) return undefined;
    this.lastAdmission = this.lastAdmission.then(() => nextTurn());
    return this.lastAdmission;
  }
}
