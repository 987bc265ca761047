/** Passed as the caller of requests, such as health checks, that must not open a closed {@link FlowGate}. */
export const NO_CALLER: object = Object.freeze({});

/**
 * Stops reading a server's stdout while a caller is too slow to read, unless other callers wait for the server too.
 *
 * With a single caller, mcpmux makes the server wait, so no queue grows. With several callers, a slow caller must not
 * delay the others, so its queue grows instead, up to the limit that the queue's owner enforces.
 */
export class FlowGate {
  private readonly slowCallers = new Set<object>();
  /** True while mcpmux does not read the server's stdout. */
  isClosed = false;

  constructor(private readonly valve: { pause(): void; resume(): void }) {}

  /** Records that `caller` has stopped reading. Closes the gate unless other callers need the output (`others`). */
  closeFor(caller: object, others: boolean): void {
    this.slowCallers.add(caller);
    if (others || this.isClosed) return;
    this.isClosed = true;
    this.valve.pause();
  }

  /**
   * Records that `caller` reads again or has disconnected. Opens the gate even if other callers are still slow, because
   * `caller` may be waiting for this server. The next line to a slow caller closes the gate again.
   */
  openFor(caller: object): void {
    this.slowCallers.delete(caller);
    this.open();
  }

  /** Records a call by `caller`. Opens the gate unless `caller` is slow, because it must not wait for a slow caller. */
  recordCall(caller: object): void {
    if (!this.slowCallers.has(caller)) this.open();
  }

  private open(): void {
    if (!this.isClosed) return;
    this.isClosed = false;
    this.valve.resume();
  }
}
