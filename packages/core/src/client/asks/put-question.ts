import type { ServerResponse } from '../../server/link/pending-call.js';
import type { QuestionAnswer } from '../caller/client-questions.js';

/** A question that a client was asked, and that a call waits for. */
export class PutQuestion {
  constructor(private readonly answered: (answer: QuestionAnswer) => void) {}

  respond(line: Buffer, { result, error }: ServerResponse): void {
    const span = result ?? error;
    if (span === undefined) return this.fail('its answer has neither a result nor an error');
    const json = line.toString('utf8', span.start, span.end);
    if (result !== undefined) return this.answered({ json });
    const { message }: { message?: unknown } = Object(JSON.parse(json));
    this.fail(`it answered with an error (${typeof message === 'string' ? message : 'no reason'})`);
  }

  progress(): void {
    // The server that waits for the answer has no token for it.
  }

  fail(problem: string): void {
    this.answered({ problem });
  }

  clientGone(): void {
    this.fail('the client has gone');
  }
}
