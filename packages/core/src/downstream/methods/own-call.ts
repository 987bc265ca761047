import { ErrorCode, errorLine, type RawId, resultLine } from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import type { CallOwner } from '../request/forwarded-call.js';
import type { InFlightRequest } from '../request/in-flight-request.js';
import type { CallingClient, OwnToolContext, OwnToolHandler } from '../caller/own-tool-handler.js';
import { errorResultJson } from '../caller/tool-result.js';

/** What an {@link OwnCall} needs of the session that made it. */
export interface OwnCallOwner extends Pick<CallOwner, 'answer' | 'notify'> {
  readonly caller: CallingClient;
}

/** One call of one of mcpmux's own tools. */
export class OwnCall implements InFlightRequest {
  private readonly abort = new AbortController();
  private progressCount = 0;

  constructor(
    private readonly owner: OwnCallOwner,
    private readonly id: RawId,
    private readonly progressToken: string | undefined,
  ) {}

  /** Runs the tool and answers the request. Never rejects. */
  async run(handler: OwnToolHandler, name: string, args: unknown): Promise<void> {
    const context: OwnToolContext = {
      signal: this.abort.signal,
      progress: (message) => this.progress(message),
      client: this.owner.caller,
    };
    try {
      const outcome = await handler.call(name, args, context);
      this.answer(() =>
        outcome.kind === 'result' ? resultLine(this.id, outcome.json) : errorLine(this.id, outcome.error),
      );
    } catch (error) {
      // A defect of ours: still an answer, because nobody may hang.
      const message = `${name} failed inside mcpmux: ${messageOf(error)}`;
      this.answer(() => errorLine(this.id, { code: ErrorCode.InternalError, message }));
    }
  }

  cancel(): void {
    this.abort.abort();
  }

  abandon(): void {
    this.abort.abort();
  }

  expire(): Buffer {
    this.abort.abort();
    return resultLine(this.id, errorResultJson('mcpmux is shutting down; the call was cancelled.'));
  }

  /** After its end the id may be that of another request. */
  private answer(line: () => Buffer): void {
    if (!this.abort.signal.aborted) this.owner.answer(this.id, line);
  }

  private progress(message: string): void {
    const { progressToken } = this;
    if (progressToken === undefined || this.abort.signal.aborted) return;
    this.progressCount += 1;
    const params = `{"progressToken":${progressToken},"progress":${this.progressCount},"message":${JSON.stringify(message)}}`;
    this.owner.notify(this.id, () =>
      Buffer.from(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n`),
    );
  }
}
