import type { Clock, Timer } from '../base/clock.js';
import type { Upstream } from '../upstream/upstream.js';

/** What takes less had not to be waited for. */
const AT_ONCE_MS = 1;

/** Stops servers that nobody has used for the time in their configuration. */
export class IdleStopper {
  private readonly timers = new WeakMap<Upstream, Timer>();

  constructor(
    private readonly clock: Clock,
    private readonly sleep: (upstream: Upstream) => void,
  ) {}

  /** To be called at every change of a server's state. */
  stateChanged(upstream: Upstream): void {
    const { idleTimeoutMs } = upstream.config;
    this.timers.get(upstream)?.cancel();
    if (idleTimeoutMs === undefined || upstream.state.kind !== 'running') return;
    upstream.usedAt = this.clock.now();
    this.checkAfter(idleTimeoutMs, upstream, idleTimeoutMs);
  }

  private checkAfter(delayMs: number, upstream: Upstream, idleTimeoutMs: number): void {
    const timer = this.clock.schedule(() => void this.look(upstream, idleTimeoutMs), delayMs);
    this.timers.set(upstream, timer);
  }

  private async look(upstream: Upstream, idleTimeoutMs: number): Promise<void> {
    const { connection } = upstream;
    if (connection === undefined) return;
    const begin = this.clock.now();
    await connection.calls.whenIdle();
    // Restarted meanwhile: then it is another timer's turn.
    if (upstream.connection !== connection) return;
    const now = this.clock.now();
    // What was in flight until now was use until now.
    if (now - begin >= AT_ONCE_MS) upstream.usedAt = now;
    const left = upstream.usedAt + idleTimeoutMs - now;
    if (left > 0) this.checkAfter(left, upstream, idleTimeoutMs);
    else this.sleep(upstream);
  }
}
