/** The maximum wait for the next message before servers start anyway, in milliseconds. */
const MESSAGE_WAIT_MS = 1000;

/**
 * Detects whether the client of this process needs servers. Some clients start a process only as a probe, end it, and
 * start another one. Such a probe should not start servers.
 */
export class ServerNeed {
  private resolveDecision: (isNeeded: boolean) => void = () => undefined;
  readonly decision = new Promise<boolean>((resolve) => (this.resolveDecision = resolve));
  private timer: NodeJS.Timeout | undefined;
  private hasProbed = false;

  constructor(private readonly waitMs = MESSAGE_WAIT_MS) {
    this.restartTimer();
  }

  /** Called for each request. */
  recordRequest(needsServers: boolean): void {
    if (needsServers) return this.decide(true);
    this.hasProbed = true;
    this.restartTimer();
  }

  /** Called when the client disconnects. If it sent nothing, the config is still read to report its problems. */
  recordDisconnect(): void {
    this.decide(!this.hasProbed);
  }

  /** Called when the process ends. */
  recordShutdown(): void {
    this.decide(false);
  }

  private restartTimer(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.decide(true), this.waitMs);
  }

  private decide(isNeeded: boolean): void {
    clearTimeout(this.timer);
    this.resolveDecision(isNeeded);
  }
}
