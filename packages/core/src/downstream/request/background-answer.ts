import { ErrorCode, errorLine, type OutgoingLine, type RawId } from '@mcpmux/wire';
import { messageOf } from '../../base/errors.js';
import type { CallOwner } from './forwarded-call.js';
import type { InFlightRequest } from './in-flight-request.js';

/** A request that mcpmux answers itself, and not at once. */
export class BackgroundAnswer implements InFlightRequest {
  private isOver = false;

  constructor(
    private readonly owner: Pick<CallOwner, 'answer'>,
    private readonly id: RawId,
  ) {}

  /** Answers with what `work` resolves to. */
  run(work: () => Promise<OutgoingLine>): void {
    // Not before the request stands in the table of those in flight.
    queueMicrotask(() => void this.answerWith(work));
  }

  cancel(): void {
    // The work is short. Its answer is for nobody: the id may be that of another request by then.
    this.isOver = true;
  }

  abandon(): void {
    this.isOver = true;
  }

  expire(): Buffer {
    const message = 'mcpmux is shutting down before it could answer';
    return errorLine(this.id, { code: ErrorCode.InternalError, message });
  }

  private async answerWith(work: () => Promise<OutgoingLine>): Promise<void> {
    try {
      const line = await work();
      this.answer(line);
    } catch (error) {
      const message = messageOf(error);
      this.answer(errorLine(this.id, { code: ErrorCode.InternalError, message }));
    }
  }

  private answer(line: OutgoingLine): void {
    if (!this.isOver) this.owner.answer(this.id, () => line);
  }
}
