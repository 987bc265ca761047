import { type Clock, escapeControls, isRecord, shownStart, type TextMask } from '@mcpmux/kit';
import { type BorrowedLine, toOwned } from '@mcpmux/wire';
import type { OwnResult } from '../dialect/server-dialect.js';
import type { CallOrigin, PendingCall, ServerResponse } from './pending-call.js';
import type { CallFailure } from './run-failure.js';

/** The code of the error by which a peer says that it does not know a method (JSON-RPC 2.0). */
export const METHOD_NOT_FOUND = -32_601;

/** The server did not give a result to a request of mcpmux itself. */
export class OwnRequestError extends Error {
  override readonly name = 'OwnRequestError';

  constructor(
    message: string,
    /** Set when it was the deadline that ended the wait. */
    readonly timedOut: boolean,
    /** Set when the run ended meanwhile. */
    readonly failure?: CallFailure,
    /** Set when the server answered an error: its code. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** Characters of a server's error that are told. */
const MAX_ERROR_LENGTH = 500;
/** A deadline that is noticed this much too late, in milliseconds, was passed while mcpmux itself stood still. */
const STANDSTILL_MS = 1000;
/** The further time of the server, in milliseconds: its answer may have arrived and only needs to be read. */
const SECOND_CHANCE_MS = 5000;

/** A request of mcpmux itself. */
interface OwnRequestInit {
  readonly method: string;
  readonly timeoutMs: number;
  readonly caller?: object;
  readonly mask: TextMask;
}

/** Waits for the response to one request that mcpmux itself sends (handshake, lists). */
export class OwnRequest implements PendingCall {
  readonly exchange: CallOrigin;
  readonly result: Promise<OwnResult>;
  private readonly mask: TextMask;
  private resolve!: (result: OwnResult) => void;
  private reject!: (error: OwnRequestError) => void;

  constructor({ method, timeoutMs, caller = {}, mask }: OwnRequestInit, clock: Clock, onTimeout: () => void) {
    this.exchange = { client: caller };
    this.mask = mask;
    const answered = new Promise<OwnResult>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const due = clock.now() + timeoutMs;
    const expire = (): void => {
      if (clock.now() > due + STANDSTILL_MS && timer === first) {
        timer = clock.schedule(expire, SECOND_CHANCE_MS);
        return;
      }
      this.reject(new OwnRequestError(`no answer to ${method} within ${timeoutMs / 1000} s`, true));
      onTimeout();
    };
    const first = clock.schedule(expire, timeoutMs);
    let timer = first;
    this.result = answered.finally(() => timer.cancel());
  }

  progress(): void {
    // mcpmux asks for no progress of its own.
  }

  respond(line: BorrowedLine, { result, error }: ServerResponse): void {
    if (result !== undefined) return this.resolve({ line: toOwned(line), result });
    const text =
      error === undefined ? 'neither a result nor an error' : line.toString('utf8', error.start, error.end);
    const shown = escapeControls(shownStart(this.mask, text, MAX_ERROR_LENGTH));
    this.reject(new OwnRequestError(`the server answered ${shown}`, false, undefined, codeOf(text)));
  }

  fail(failure: CallFailure): void {
    const why = 'problem' in failure ? failure.problem : failure.kind;
    this.reject(new OwnRequestError(why, false, failure));
  }
}

/** The code of an error of JSON-RPC, given as JSON text. */
export function codeOf(errorJson: string): number | undefined {
  // A response without an error is told in words, which are no JSON.
  const error: unknown = errorJson.startsWith('{') ? JSON.parse(errorJson) : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}
