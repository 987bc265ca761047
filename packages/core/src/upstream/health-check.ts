import type { Clock, Timer } from '../clock.js';
import type { Connection } from './connection.js';
import { nextHealthState, RESTING, type HealthEvent, type HealthState } from './health-state.js';
import { OwnRequestError } from './own-request.js';
import type { HealthConfig } from './server-config.js';

/** What a server has for the answer to a ping unless it says otherwise, in milliseconds. */
export const DEFAULT_PING_TIMEOUT_MS = 10_000;
/** Pings without an answer in a row after which a server counts as hung. */
export const DEFAULT_MAX_MISSED = 3;

/** What a {@link HealthCheck} needs to know of a connection. */
export type CheckedConnection = Pick<Connection, 'heard' | 'isHeld' | 'ping'>;

/**
 * Pings one run while it is silent, and tells when it does not answer. That its process lives and its pipes are open
 * is known without.
 *
 * Every message counts as a sign of life, an error in place of the answer too. A server whose output mcpmux itself
 * holds back, because a client does not read, proves nothing by its silence.
 */
export class HealthCheck {
  private state: HealthState = RESTING;
  private timer: Timer | undefined;
  private heardBefore = 0;

  /** @param onUnresponsive told the number of pings that were missed; at most once */
  constructor(
    private readonly config: HealthConfig,
    private readonly connection: CheckedConnection,
    private readonly clock: Clock,
    private readonly onUnresponsive: (missed: number) => void,
  ) {}

  /** The run serves from now on. */
  begin(): void {
    if (this.state.kind !== 'resting') return;
    this.heardBefore = this.connection.heard;
    this.timer = this.clock.schedule(() => this.look(), this.config.intervalMs);
  }

  /** The run is over. */
  end(): void {
    this.timer?.cancel();
    this.apply({ kind: 'ended' });
  }

  private look(): void {
    this.apply({ kind: 'looked', isAlive: this.isAlive() });
    if (this.state.kind === 'asked') void this.ping();
    else this.begin();
  }

  private async ping(): Promise<void> {
    const isAnswered = await this.isAnswered();
    this.apply({ kind: isAnswered || this.isAlive() ? 'answered' : 'missed' });
    if (this.state.kind === 'unresponsive') this.onUnresponsive(this.state.missed);
    else this.begin();
  }

  private async isAnswered(): Promise<boolean> {
    const { timeoutMs = DEFAULT_PING_TIMEOUT_MS } = this.config;
    try {
      await this.connection.ping(timeoutMs);
      return true;
    } catch (error) {
      return !(error instanceof OwnRequestError && error.timedOut);
    }
  }

  private isAlive(): boolean {
    const { heard, isHeld } = this.connection;
    return isHeld || heard !== this.heardBefore;
  }

  private apply(event: HealthEvent): void {
    this.state = nextHealthState(this.state, event, this.config.failures ?? DEFAULT_MAX_MISSED);
  }
}
