import { type Clock, isRecord, type Timer } from '@mcpmux/kit';
import type { OwnResult, ServerLink } from '../dialect/server-dialect.js';
import type { Connection } from '../link/connection.js';
import { NO_CALLER } from '../link/flow-gate.js';
import { OwnRequestError } from '../link/own-request.js';
import type { HealthConfig } from '../config/server-config.js';

/** The health of a run. `missed` is the number of pings without a response since the last message from the server. */
export type HealthState =
  /** The next check is due at the end of the interval. */
  | { readonly kind: 'resting'; readonly missed: number }
  /** The server was silent for a whole interval. A ping is in flight. */
  | { readonly kind: 'asked'; readonly missed: number }
  /** Too many pings have had no response. */
  | { readonly kind: 'unresponsive'; readonly missed: number }
  /** The run has ended. */
  | { readonly kind: 'over' };

/** An event that affects a health check. */
export type HealthEvent =
  /** The interval has ended. `isAlive` is true if the server sent a message during it. */
  | { readonly kind: 'looked'; readonly isAlive: boolean }
  /** The ping was answered, or any other message arrived. */
  | { readonly kind: 'answered' }
  /** The time limit for the response has expired. */
  | { readonly kind: 'missed' }
  | { readonly kind: 'ended' };

/** The initial state, and the state between two checks if no ping was missed. */
export const RESTING_STATE: HealthState = { kind: 'resting', missed: 0 };

/** Returns the state after `event`. An event that does not apply leaves the state unchanged. */
export function nextHealthState(state: HealthState, event: HealthEvent, maxMissed: number): HealthState {
  if (event.kind === 'ended') return { kind: 'over' };
  if (event.kind === 'looked') {
    if (state.kind !== 'resting') return state;
    return event.isAlive ? RESTING_STATE : { kind: 'asked', missed: state.missed };
  }
  if (state.kind !== 'asked') return state;
  if (event.kind === 'answered') return RESTING_STATE;
  const missed = state.missed + 1;
  return { kind: missed < maxMissed ? 'resting' : 'unresponsive', missed };
}

/** The default time limit for the response to a ping, in milliseconds. */
export const DEFAULT_PING_TIMEOUT_MS = 10_000;
/** How many consecutive pings without a response mean that a server hangs, by default. */
export const DEFAULT_MAX_MISSED_PINGS = 3;

/** The results of a run's pings so far. */
export interface HealthReport {
  /** The number of pings without a response since the last message from the server. */
  readonly missed: number;
  /** When the last response to a ping arrived, in milliseconds on the mux's clock. Absent before the first response. */
  readonly answeredAt?: number;
}

/**
 * Sends pings to a silent run, or calls the configured tool, and reports a run that does not answer. Detects a server
 * that hangs although its process runs and its pipes are open.
 *
 * With pings, every message proves that the server is alive, even an error. If mcpmux pauses the server's output
 * because a client does not read, silence proves nothing.
 */
export class HealthCheck {
  private state: HealthState = RESTING_STATE;
  private timer: Timer | undefined;
  private lastMessageCount = 0;
  private answeredAt: number | undefined;

  /** @param onUnresponsive called at most once, with the number of missed pings */
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

  /** Schedules the next check if the run is waiting for one. */
  scheduleCheck(): void {
    if (this.state.kind !== 'resting') return;
    this.lastMessageCount = this.connection.messageCount;
    this.timer = this.clock.schedule(() => this.checkInterval(), this.config.intervalMs);
  }

  /** Ends the checks when the run has ended. */
  end(): void {
    this.timer?.cancel();
    this.applyEvent({ kind: 'ended' });
  }

  private checkInterval(): void {
    this.applyEvent({ kind: 'looked', isAlive: this.isAlive() });
    if (this.state.kind === 'asked') void this.sendCheck();
    else this.scheduleCheck();
  }

  private async sendCheck(): Promise<void> {
    const isAnswered = await this.getsAnswer();
    if (isAnswered) this.answeredAt = this.clock.now();
    this.applyEvent({ kind: isAnswered || this.isAlive() ? 'answered' : 'missed' });
    if (this.state.kind === 'unresponsive') this.onUnresponsive(this.state.missed);
    else this.scheduleCheck();
  }

  private async getsAnswer(): Promise<boolean> {
    const { tool, timeoutMs = DEFAULT_PING_TIMEOUT_MS } = this.config;
    try {
      const { calls, dialect } = this.connection;
      // With `NO_CALLER`, the ping does not resume output that is paused because a client does not read.
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

  /** True if the silence proves nothing, or a message has arrived. If a tool is configured, only its result counts. */
  private isAlive(): boolean {
    const { messageCount, calls } = this.connection;
    return calls.isOutputPaused || (this.config.tool === undefined && messageCount !== this.lastMessageCount);
  }

  private applyEvent(event: HealthEvent): void {
    this.state = nextHealthState(this.state, event, this.config.failures ?? DEFAULT_MAX_MISSED_PINGS);
  }
}

function hasFailed({ line, result: { start, end } }: OwnResult): boolean {
  const result: unknown = JSON.parse(line.subarray(start, end).toString('utf8'));
  return !isRecord(result) || result['isError'] === true;
}
