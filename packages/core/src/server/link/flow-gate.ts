/** The caller for requests, such as health checks, that may wait until every slow caller reads again. */
export const NO_CALLER: object = Object.freeze({});

/**
 * Stops reading a server's stdout while a caller does not read, unless other callers wait for the server too.
 *
 * With a single caller, mcpmux makes the server wait, so no queue grows. With several callers, a slow caller must not
 * delay the others, so its queue grows instead, up to the limit that the queue's owner enforces.
 */
export class FlowGate {
  private readonly slowCallers = new Set<object>();
  /** True while the server's stdout is not read. */
  isClosed = false;

  constructor(private readonly valve: { pause(): void; resume(): void }) {}

  /** Records that `caller` does not read. `others` is true if another caller waits for this server. */
  closeFor(caller: object, others: boolean): void {
    this.slowCallers.add(caller);
    if (others || this.isClosed) return;
    this.isClosed = true;
    this.valve.pause();
  }

  /**
   * Records that `caller` reads again or has disconnected. The gate opens even if other callers are slow, because
   * `caller` may wait for this server. The next line to a slow caller closes the gate again.
   */
  openFor(caller: object): void {
    this.slowCallers.delete(caller);
    this.open();
  }

  /** Records a call by `caller`. A caller that is not slow must not wait for a slow caller. */
  recordCall(caller: object): void {
    if (!this.slowCallers.has(caller)) this.open();
  }

  private open(): void {
    if (!this.isClosed) return;
    this.isClosed = false;
    this.valve.resume();
  }
}
