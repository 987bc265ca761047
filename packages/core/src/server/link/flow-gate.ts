/** The caller for calls that no client makes. They may wait until every slow caller can take more. */
export const NO_CALLER: object = Object.freeze({});

/**
 * Decides when mcpmux pauses a server's stdout: while a caller cannot take more, unless others wait for the server too.
 *
 * With a single caller, mcpmux makes the server wait, so no queue grows. With several callers, the slow caller must not
 * hold up the others. Its own queue grows instead, and the owner of that queue limits it.
 */
export class FlowGate {
  private readonly slow = new Set<object>();
  /** True if the stdout of the server is paused. */
  isClosed = false;

  constructor(private readonly valve: { pause(): void; resume(): void }) {}

  /** Records that `caller` cannot take more. `others` is true if another caller waits for this server. */
  hold(caller: object, others: boolean): void {
    this.slow.add(caller);
    if (others || this.isClosed) return;
    this.isClosed = true;
    this.valve.pause();
  }

  /**
   * Records that `caller` can take more, or has gone. It may wait for this server, so the gate opens even if other
   * callers are slow. They close it with their next line.
   */
  release(caller: object): void {
    this.slow.delete(caller);
    this.open();
  }

  /** Records a call of `caller`. A caller that is not slow must not wait for a slow caller. */
  use(caller: object): void {
    if (!this.slow.has(caller)) this.open();
  }

  private open(): void {
    if (!this.isClosed) return;
    this.isClosed = false;
    this.valve.resume();
  }
}
