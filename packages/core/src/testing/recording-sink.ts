import type { Span } from '@mcpmux/wire';
import type { CallOrigin, PendingCall, ServerResponse } from '../server/link/pending-call.js';
import type { CallFailure } from '../server/link/run-failure.js';

/** What one caller was told, in order. */
export type SinkEvent =
  | { readonly progress: string; readonly token: string }
  | { readonly response: string; readonly id: string }
  | { readonly failure: CallFailure };

/** A caller that keeps everything it is told. */
export class RecordingSink implements PendingCall {
  readonly events: SinkEvent[] = [];

  readonly exchange: CallOrigin;

  constructor(caller: object = {}) {
    this.exchange = { client: caller };
  }

  onProgress(line: Buffer, token: Span): void {
    this.events.push({ progress: line.toString(), token: textAt(line, token) });
  }

  onResponse(line: Buffer, response: ServerResponse): void {
    this.events.push({ response: line.toString(), id: textAt(line, response.id) });
  }

  fail(failure: CallFailure): void {
    this.events.push({ failure });
  }
}

function textAt(line: Buffer, { start, end }: Span): string {
  return line.toString('utf8', start, end);
}
