import type { Clock, Timer } from '@mcpmux/kit';
import type { Upstream } from '../upstream.js';

/** Shorter waits count as none. */
const AT_ONCE_MS = 1;

/** Stops a server that was unused for its configured idle timeout. */
export class IdleStopper {
  private timer: Timer | undefined;
  /** A reading of the clock, in milliseconds. */
  private usedAt = 0;

  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly stop: () => void,
  ) {}

  /** Records that a request was sent to the server. Call only for servers with an idle timeout. */
  used(): void {
    this.usedAt = this.clock.now();
  }

  /** Call at every change of the server's state. */
  stateChanged(): void {
    const { config, state } = this.upstream;
    const { idleTimeoutMs } = config;
    this.timer?.cancel();
    if (idleTimeoutMs === undefined || state.kind !== 'running') return;
    this.used();
    this.checkAfter(idleTimeoutMs, idleTimeoutMs);
  }

  private checkAfter(delayMs: number, idleTimeoutMs: number): void {
    this.timer = this.clock.schedule(() => void this.check(idleTimeoutMs), delayMs);
  }

  private async check(idleTimeoutMs: number): Promise<void> {
    const { connection } = this.upstream;
    if (connection === undefined) return;
    const begin = this.clock.now();
    await Promise.all(this.upstream.connections.map(({ calls }) => calls.whenIdle()));
    // The server restarted meanwhile: the new run has its own timer.
    if (this.upstream.connection !== connection) return;
    const now = this.clock.now();
    // A call in flight until now counts as use until now.
    if (now - begin >= AT_ONCE_MS) this.usedAt = now;
    const left = this.usedAt + idleTimeoutMs - now;
    if (left > 0) this.checkAfter(left, idleTimeoutMs);
    else this.stop();
  }
}
