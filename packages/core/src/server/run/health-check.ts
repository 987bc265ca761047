import { type Clock, isRecord, type Timer } from '@mcpmux/kit';
import type { OwnResult, ServerLink } from '../dialect/server-dialect.js';
import type { Connection } from '../link/connection.js';
import { nextHealthState, RESTING, type HealthEvent, type HealthState } from './health-state.js';
import { NO_CALLER } from '../link/flow-gate.js';
import { OwnRequestError } from '../link/own-request.js';
import type { HealthConfig } from '../config/server-config.js';

/** The default time limit of the answer to a ping, in milliseconds. */
export const DEFAULT_PING_TIMEOUT_MS = 10_000;
/** Pings without an answer in a row after which a server counts as hung. */
export const DEFAULT_MAX_MISSED = 3;

/** The pings of a run so far. */
export interface HealthReport {
  /** Pings without an answer since the last message of the server. */
  readonly missed: number;
  /** The time of the last answer to a ping, as the clock counts; absent while the check has asked for none. */
  readonly answeredAt?: number;
}

/**
 * Pings one run while it is silent, or calls its tool, and tells when it does not answer. That its process lives and its
 * pipes are open is known without.
 *
 * For a ping every message counts as a sign of life, an error in place of the answer too. A server whose output mcpmux itself
 * holds back, because a client does not read, proves nothing by its silence.
 */
export class HealthCheck {
  private state: HealthState = RESTING;
  private timer: Timer | undefined;
  private heardBefore = 0;
  private answeredAt: number | undefined;

  /** @param onUnresponsive told the number of pings that were missed; at most once */
  constructor(
    private readonly config: HealthConfig,
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly onUnresponsive: (missed: number) => void,
  ) {}

  get report(): HealthReport {
    const missed = this.state.kind === 'over' ? 0 : this.state.missed;
    return { missed, ...(this.answeredAt !== undefined && { answeredAt: this.answeredAt }) };
  }

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
    if (this.state.kind === 'asked') void this.ask();
    else this.begin();
  }

  private async ask(): Promise<void> {
    const isAnswered = await this.isAnswered();
    if (isAnswered) this.answeredAt = this.clock.now();
    this.apply({ kind: isAnswered || this.isAlive() ? 'answered' : 'missed' });
    if (this.state.kind === 'unresponsive') this.onUnresponsive(this.state.missed);
    else this.begin();
  }

  private async isAnswered(): Promise<boolean> {
    const { tool, timeoutMs = DEFAULT_PING_TIMEOUT_MS } = this.config;
    try {
      const { calls, dialect } = this.connection;
      // A client that does not read may hold up the answer: so the request does not set the server going again.
      const request: ServerLink['request'] = (method, params, ms) =>
        calls.request(method, params, ms, NO_CALLER);
      if (tool !== undefined)
        return !hasFailed(await request('tools/call', { name: tool, arguments: {} }, timeoutMs));
      await dialect.probe({ request }, timeoutMs);
      return true;
    } catch (error) {
      return tool === undefined && !(error instanceof OwnRequestError && error.timedOut);
    }
  }

  /** Where a tool is to answer, nothing else is a sign that it does. */
  private isAlive(): boolean {
    const { heard, calls } = this.connection;
    return calls.isHeld || (this.config.tool === undefined && heard !== this.heardBefore);
  }

  private apply(event: HealthEvent): void {
    this.state = nextHealthState(this.state, event, this.config.failures ?? DEFAULT_MAX_MISSED);
  }
}

function hasFailed({ line, result: { start, end } }: OwnResult): boolean {
  const result: unknown = JSON.parse(line.subarray(start, end).toString('utf8'));
  return !isRecord(result) || result['isError'] === true;
}
