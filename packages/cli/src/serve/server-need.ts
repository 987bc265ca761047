/**
 * The wait for a client that sends nothing, or nothing after a probe, in milliseconds. Servers are started after it.
 */
const PATIENCE_MS = 1000;

/**
 * Finds out whether the client of this process needs servers. Some clients start a process only as a probe, end it, and
 * start another process. The first process then starts no server.
 */
export class ServerNeed {
  private resolve: (isNeeded: boolean) => void = () => undefined;
  readonly decided = new Promise<boolean>((resolve) => (this.resolve = resolve));
  private timer: NodeJS.Timeout | undefined;
  private hasProbed = false;

  constructor(private readonly patienceMs = PATIENCE_MS) {
    this.wait();
  }

  /** Called for each request. */
  requested(needsServers: boolean): void {
    if (needsServers) return this.decide(true);
    this.hasProbed = true;
    this.wait();
  }

  /**
   * Called when the client has disconnected. A client that sent nothing may have left because of the config, so the
   * config is read.
   */
  clientGone(): void {
    this.decide(!this.hasProbed);
  }

  /** Called when the process ends. */
  giveUp(): void {
    this.decide(false);
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.decide(true), this.patienceMs);
  }

  private decide(isNeeded: boolean): void {
    clearTimeout(this.timer);
    this.resolve(isNeeded);
  }
}
