import { type Clock, escapeControls, isRecord, shownStart, type TextMask } from '@mcpmux/kit';
import { type BorrowedLine, toOwned } from '@mcpmux/wire';
import type { OwnResult } from '../dialect/server-dialect.js';
import type { CallOrigin, PendingCall, ServerResponse } from './pending-call.js';
import type { CallFailure } from './run-failure.js';

/** The error code for an unknown method (JSON-RPC 2.0). */
export const METHOD_NOT_FOUND = -32_601;

/** Thrown when one of mcpmux's own requests gets no result. */
export class OwnRequestError extends Error {
  override readonly name = 'OwnRequestError';

  constructor(
    message: string,
    readonly timedOut: boolean,
    /** Set if the run ended or the request failed before the server answered. */
    readonly failure?: CallFailure,
    /** The JSON-RPC error code in the server's response, if it has one. */
    readonly code?: number,
  ) {
    super(message);
  }
}

/** The maximum length of a server's error in an error message, in characters. */
const MAX_ERROR_LENGTH = 500;
/** How late a timer must fire, in milliseconds, before mcpmux concludes that it was suspended itself. */
const MIN_SUSPENSION_MS = 1000;
/** The extra time after a suspension, in milliseconds. The server's answer may already be waiting to be read. */
const EXTRA_TIME_MS = 5000;

interface OwnRequestInit {
  readonly method: string;
  readonly timeoutMs: number;
  readonly caller?: object;
  readonly mask: TextMask;
}

/** Waits for the response to one of mcpmux's own requests, such as a handshake or list request. */
export class OwnRequest implements PendingCall {
  readonly exchange: CallOrigin;
  readonly result: Promise<OwnResult>;
  private readonly mask: TextMask;
  private resolve!: (result: OwnResult) => void;
  private reject!: (error: OwnRequestError) => void;

  constructor({ method, timeoutMs, caller = {}, mask }: OwnRequestInit, clock: Clock, onTimeout: () => void) {
    this.exchange = { client: caller };
    this.mask = mask;
    const answer = new Promise<OwnResult>((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    const deadline = clock.now() + timeoutMs;
    const expire = (): void => {
      if (clock.now() > deadline + MIN_SUSPENSION_MS && timer === firstTimer) {
        timer = clock.schedule(expire, EXTRA_TIME_MS);
        return;
      }
      this.reject(new OwnRequestError(`no answer to ${method} within ${timeoutMs / 1000} s`, true));
      onTimeout();
    };
    const firstTimer = clock.schedule(expire, timeoutMs);
    let timer = firstTimer;
    this.result = answer.finally(() => timer.cancel());
  }

  onProgress(): void {
    // mcpmux does not request progress for its own requests.
  }

  onResponse(line: BorrowedLine, { result, error }: ServerResponse): void {
    if (result !== undefined) return this.resolve({ line: toOwned(line), result });
    const text =
      error === undefined ? 'neither a result nor an error' : line.toString('utf8', error.start, error.end);
    const printableError = escapeControls(shownStart(this.mask, text, MAX_ERROR_LENGTH));
    this.reject(
      new OwnRequestError(`the server answered ${printableError}`, false, undefined, rpcErrorCode(text)),
    );
  }

  fail(failure: CallFailure): void {
    const reason = 'problem' in failure ? failure.problem : failure.kind;
    this.reject(new OwnRequestError(reason, false, failure));
  }
}

/** Returns the `code` of a JSON-RPC error, given as JSON text, or undefined if it has no numeric code. */
export function rpcErrorCode(errorJson: string): number | undefined {
  // For a response without an error, `onResponse` passes a description, which is not JSON.
  const error: unknown = errorJson.startsWith('{') ? JSON.parse(errorJson) : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'number' ? code : undefined;
}
