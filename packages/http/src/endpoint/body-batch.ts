/**
 * Runs the work of one turn of the event loop together at its end. Messages that arrive in this turn on many
 * connections are sent to each server in one write.
 */
export class BodyBatch {
  private due: (() => void)[] = [];

  /** Does `work` at the end of the turn. It must not throw, because the work after it would be lost. */
  atEnd(work: () => void): void {
    if (this.due.push(work) === 1) setImmediate(() => this.end());
  }

  private end(): void {
    const { due } = this;
    this.due = [];
    for (const work of due) work();
  }
}
