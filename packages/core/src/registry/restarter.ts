import type { Clock, Timer } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { RunFailure } from '../upstream/link/run-failure.js';
import type { Upstream } from '../upstream/upstream.js';
import { decideRestart, STEADY_RUN_MS, WINDOW_MS, type RestartDecision } from './restart-policy.js';
import { IDLE, nextRestartState, type RestartEvent, type RestartState } from './restart-state.js';

/** What a {@link Restarter} works with. */
export interface RestarterComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Starts the server again. Resolves when it runs, or has failed to: its outcome shows in its state. */
  readonly restart: () => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  /** A server that was given up that long ago is started once more for a request that needs it, in milliseconds. */
  readonly retryAfterMs: number;
}

/** Starts a server again whose run has ended by itself, where its configuration says so. */
export class Restarter {
  /** Whether and when it starts again by itself, in half a sentence. */
  note: string | undefined;
  private current: RestartState = IDLE;
  /** Readings of the clock. */
  private restarts: readonly number[] = [];
  /** Restarts since the last steady run. */
  private streak = 0;
  private runningSince: number | undefined;
  private timer: Timer | undefined;
  /** The start that is under way because a request needs the server. */
  private trial: Promise<void> | undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly components: RestarterComponents,
  ) {}

  get state(): RestartState['kind'] {
    return this.current.kind;
  }

  /** To be called at every change of the server's state. */
  stateChanged(): void {
    const { config, state } = this.upstream;
    if ((config.restart ?? 'never') === 'never') return;
    this.timer?.cancel();
    this.timer = undefined;
    this.note = undefined;
    if (state.kind === 'starting') this.apply({ kind: 'starts' });
    if (state.kind === 'running') {
      this.runningSince = this.components.clock.now();
      this.apply({ kind: 'runs' });
    }
    if (state.kind === 'crashed') this.crashed(state.failure);
  }

  /**
   * A request has come for a server that does not run. Starts it once more if it was given up long enough ago; resolves
   * when that start has ended.
   */
  needed(): Promise<void> | undefined {
    const { clock, retryAfterMs } = this.components;
    const before = this.current;
    this.apply({ kind: 'needed', at: clock.now(), retryAfterMs });
    if (this.current.kind !== 'trying') return undefined;
    if (before.kind !== 'trying') this.trial = this.restart();
    return this.trial;
  }

  private crashed(failure: RunFailure): void {
    const before = this.current;
    const now = this.components.clock.now();
    const decision = this.decide(failure, now);
    this.apply({ kind: 'ended', decision, at: now });
    if (this.current.kind === 'given-up') this.givenUp(before);
    if (this.current.kind !== 'waiting' || decision.kind !== 'restart') return;
    this.note = `starts again ${decision.delayMs / 1000} s after its end`;
    this.timer = this.components.clock.schedule(() => void this.restartInTime(), decision.delayMs);
  }

  private decide(failure: RunFailure, now: number): RestartDecision {
    const ranMs = this.runningSince === undefined ? 0 : now - this.runningSince;
    this.runningSince = undefined;
    if (ranMs >= STEADY_RUN_MS) this.streak = 0;
    this.restarts = this.restarts.filter((at) => now - at < WINDOW_MS);
    const { restarts, streak } = this;
    const mode = this.upstream.config.restart ?? 'never';
    return decideRestart({ mode, failure, now, restarts, streak }, this.components.random());
  }

  private givenUp(before: RestartState): void {
    const { logger, retryAfterMs } = this.components;
    const why =
      before.kind === 'trying'
        ? 'given up again: it ended when a call had started it'
        : `given up after ${this.restarts.length} restarts in ${WINDOW_MS / 1000} s`;
    this.note = `${why}; a call after ${retryAfterMs / 1000} s starts it once more, reload_server at once`;
    logger.log('error', `server ${this.note}`, { server: this.upstream.name });
  }

  /** Nobody waits for it: what goes wrong is told to the log. */
  private async restartInTime(): Promise<void> {
    try {
      await this.restart();
    } catch (error) {
      const problem = messageOf(error);
      this.components.logger.log('error', 'the restart failed', { server: this.upstream.name, problem });
    }
  }

  private async restart(): Promise<void> {
    const { clock, logger, restart } = this.components;
    this.timer = undefined;
    if (this.upstream.state.kind !== 'crashed') return;
    this.restarts = [...this.restarts, clock.now()];
    this.streak += 1;
    const why = this.current.kind === 'trying' ? 'because it was called' : 'by itself';
    logger.log('info', `server starts again ${why}`, { server: this.upstream.name });
    await restart();
  }

  private apply(event: RestartEvent): void {
    this.current = nextRestartState(this.current, event);
    if (this.current.kind === 'trying') this.note = 'starts once more because it was called';
  }
}
