import { isRecord } from '@mcpmux/kit';
import type { ServerResponse } from '../../server/link/pending-call.js';

/** The client's answer to a question from mcpmux itself, or the reason why there is none. */
export type OwnAnswer = { readonly result: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** A question that mcpmux itself has sent to a client. */
export class MuxRequest {
  readonly answer: Promise<OwnAnswer>;
  private resolve: (answer: OwnAnswer) => void = () => undefined;

  constructor() {
    this.answer = new Promise((resolve) => (this.resolve = resolve));
  }

  respond(line: Buffer, { result, error }: ServerResponse): void {
    const span = result ?? error;
    if (span === undefined) return this.fail('its answer has neither a result nor an error');
    const value: unknown = JSON.parse(line.toString('utf8', span.start, span.end));
    if (result !== undefined && isRecord(value)) return this.resolve({ result: value });
    const message = isRecord(value) && typeof value['message'] === 'string' ? value['message'] : 'no reason';
    this.fail(result === undefined ? `it answered with an error (${message})` : 'its result is no object');
  }

  /** Ignores the client's progress, which mcpmux does not use. */
  progress(): void {
    // Nothing to do.
  }

  fail(problem: string): void {
    this.resolve({ problem });
  }

  clientGone(): void {
    this.fail('the client has gone');
  }
}
