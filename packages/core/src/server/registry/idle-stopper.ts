import type { Clock, Timer } from '@mcpmux/kit';
import type { Upstream } from '../upstream.js';

/** If `stopIfIdle` had to wait at least this long, in milliseconds, a call was in flight. */
const MIN_WAIT_MS = 1;

/** How long a lazy server's first run lasts if only its lists are needed, in milliseconds. */
const LISTING_RUN_MS = 5000;

/** Stops a server that has not been used for its idle timeout, and a lazy server once its lists are known. */
export class IdleStopper {
  private timer: Timer | undefined;
  /** When the server was last used, in milliseconds on the mux's clock. */
  private lastUsedAt = 0;

  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly stop: () => void,
  ) {}

  /** Records a request to a server that has an idle timeout. */
  recordUse(): void {
    this.lastUsedAt = this.clock.now();
  }

  /** Restarts the timer. Must be called whenever the server's state changes. */
  handleStateChange(): void {
    const { config, state } = this.upstream;
    const { idleTimeoutMs } = config;
    this.timer?.cancel();
    if (state.kind !== 'running') return;
    if (idleTimeoutMs !== undefined) {
      this.recordUse();
      this.checkAfter(idleTimeoutMs, idleTimeoutMs);
    } else if (config.lazy === true && state.generation === 1) {
      this.timer = this.clock.schedule(() => this.stopIfUnused(), LISTING_RUN_MS);
    }
  }

  private stopIfUnused(): void {
    if (!this.upstream.connections.some(({ calls }) => calls.hasSentCalls)) this.stop();
  }

  private checkAfter(delayMs: number, idleTimeoutMs: number): void {
    this.timer = this.clock.schedule(() => void this.stopIfIdle(idleTimeoutMs), delayMs);
  }

  private async stopIfIdle(idleTimeoutMs: number): Promise<void> {
    const { connection } = this.upstream;
    if (connection === undefined) return;
    const startedAt = this.clock.now();
    await Promise.all(this.upstream.connections.map(({ calls }) => calls.whenIdle()));
    // The server has been restarted meanwhile, and the new run has its own timer.
    if (this.upstream.connection !== connection) return;
    const now = this.clock.now();
    // The server was in use until its last call ended.
    if (now - startedAt >= MIN_WAIT_MS) this.lastUsedAt = now;
    const remainingMs = this.lastUsedAt + idleTimeoutMs - now;
    if (remainingMs > 0) this.checkAfter(remainingMs, idleTimeoutMs);
    else this.stop();
  }
}
