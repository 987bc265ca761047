/** How long to wait for the client's next message, in milliseconds, before servers start anyway. */
const MESSAGE_WAIT_MS = 1000;

/**
 * Detects whether this process's client needs servers. Some clients start a process only as a probe, then end it and
 * start another one. A probe should not start servers.
 */
export class ServerNeed {
  private resolveDecision: (isNeeded: boolean) => void = () => undefined;
  readonly decision = new Promise<boolean>((resolve) => (this.resolveDecision = resolve));
  private timer: NodeJS.Timeout | undefined;
  private hasProbed = false;

  constructor(private readonly waitMs = MESSAGE_WAIT_MS) {
    this.restartTimer();
  }

  recordRequest(needsServers: boolean): void {
    if (needsServers) return this.decide(true);
    this.hasProbed = true;
    this.restartTimer();
  }

  /** Called when the client disconnects. If it sent no request, the config is read to report its problems. */
  recordDisconnect(): void {
    this.decide(!this.hasProbed);
  }

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
