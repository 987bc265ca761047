/** A body of this size or more takes a noticeable part of a turn of the event loop. */
const LARGE_BYTES = 64 * 1024;

/** Allows at most one large body per turn of the event loop, so that other requests are served in between. */
export class LargeBodies {
  private last: Promise<void> = Promise.resolve();

  /** Resolves when a body of this size may be handled. Returns undefined for a small body. */
  batch(bytes: number): Promise<void> | undefined {
    if (bytes < LARGE_BYTES) return undefined;
    this.last = this.last.then(nextTurn);
    return this.last;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
