/** From so many bytes on a body takes a noticeable part of a turn of the event loop. */
const LARGE_BYTES = 64 * 1024;

/** Lets at most one large body be handled in a turn of the event loop, so that other requests are served in between. */
export class LargeBodies {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when a body of that many bytes may be handled; undefined for one that is small. */
  batch(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BYTES) return undefined;
    this.last = this.last.then(nextTurn);
    return this.last;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
