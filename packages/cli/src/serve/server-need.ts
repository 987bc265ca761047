/** The maximum wait for the next message before servers start anyway, in milliseconds. */
const PATIENCE_MS = 1000;

/**
 * Detects whether the client of this process needs servers. Some clients start a process only as a probe, end it, and
 * start another one. The first process should not start servers.
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
   * Called when the client has disconnected. If the client sent nothing, the config is read anyway, because its
   * problems may be the cause.
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
