/**
 * Work of one turn of the event loop, done together at its end: the messages that came in it on many connections leave in
 * one write to each server.
 */
export class BodyBatch {
  private due: (() => void)[] = [];

  /** Does `work` at the end of the turn. It must not throw: what is due after it would be lost. */
  atEnd(work: () => void): void {
    if (this.due.push(work) === 1) setImmediate(() => this.end());
  }

  private end(): void {
    const { due } = this;
    this.due = [];
    for (const work of due) work();
  }
}
