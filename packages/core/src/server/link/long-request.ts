import { type BorrowedLine } from '@mcpmux/wire';
import type { LongRequestEndHandler } from '../dialect/server-dialect.js';
import { NO_CALLER } from './flow-gate.js';
import { rpcErrorCode } from './own-request.js';
import type { CallOrigin, PendingCall, ServerResponse } from './pending-call.js';
import { isContentRefusal } from './remote-failure.js';
import type { CallFailure } from './run-failure.js';

/** One of mcpmux's own requests that stays open until mcpmux or the server ends it. */
export class LongRequest implements PendingCall {
  readonly exchange: CallOrigin = { client: NO_CALLER };

  constructor(private readonly ended: LongRequestEndHandler) {}

  onProgress(): void {
    // mcpmux does not request progress for its own requests.
  }

  onResponse(line: BorrowedLine, { error }: ServerResponse): void {
    const code = error && rpcErrorCode(line.toString('utf8', error.start, error.end));
    this.ended({ isRunOver: false, code });
  }

  fail(failure?: CallFailure): void {
    const isLost = failure?.kind === 'undelivered' && !isContentRefusal(failure);
    this.ended({ isRunOver: failure === undefined, isLost });
  }
}
