/** How long servers are not started for a client that says nothing, or nothing after a probe, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Finds out if the client of this process needs servers. Some clients start a process only for a probe, end it, and
 * start another one: the first process starts no server.
 */
export class ServerNeed {
  private resolve: (isNeeded: boolean) => void = () => undefined;
  readonly decided = new Promise<boolean>((resolve) => (this.resolve = resolve));
  private timer: NodeJS.Timeout | undefined;
  private hasProbed = false;

  constructor(private readonly patienceMs = PATIENCE_MS) {
    this.wait();
  }

  /** A request has come. */
  requested(needsServers: boolean): void {
    if (needsServers) return this.decide(true);
    this.hasProbed = true;
    this.wait();
  }

  /** A client that has said nothing may have left because of the config, which is then read. */
  clientGone(): void {
    this.decide(!this.hasProbed);
  }

  /** The process ends. */
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
