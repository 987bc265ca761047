/** The caller of a call that may take as long as anybody is slow. */
export const NO_CALLER: object = Object.freeze({});

/**
 * Decides when a server's stdout stands still: while a caller cannot take more, unless others wait for the server too.
 *
 * With a single caller the server is made to wait, so nothing piles up. With several, the slow one must not hold up
 * the others: its own queue grows instead, and whoever owns that queue bounds it.
 */
export class FlowGate {
  private readonly slow = new Set<object>();
  /** True if the stdout of the server is paused. */
  isClosed = false;

  constructor(private readonly valve: { pause(): void; resume(): void }) {}

  /** `caller` cannot take more; `others` tells whether anybody else waits for this server. */
  hold(caller: object, others: boolean): void {
    this.slow.add(caller);
    if (others || this.isClosed) return;
    this.isClosed = true;
    this.valve.pause();
  }

  /**
   * `caller` can take more again, or has gone. It may wait for this server, so the gate opens even if others are slow:
   * they shut it again with their next line.
   */
  release(caller: object): void {
    this.slow.delete(caller);
    this.open();
  }

  /** A call of `caller` is on its way: if it is not the slow one, it must not wait for the slow one. */
  use(caller: object): void {
    if (!this.slow.has(caller)) this.open();
  }

  private open(): void {
    if (!this.isClosed) return;
    this.isClosed = false;
    this.valve.resume();
  }
}
