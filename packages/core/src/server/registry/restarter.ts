import { type Kit, messageOf, type Timer } from '@mcpmux/kit';
import type { RunFailure } from '../link/run-failure.js';
import type { Upstream } from '../upstream.js';
import { decideRestart, STEADY_RUN_MS, WINDOW_MS, type RestartDecision } from './restart-policy.js';

/** The state of one server's restarts. All times are on the mux's clock, in milliseconds. */
export type RestartState =
  /** The server is running, is starting for another reason, or will not be restarted. */
  | { readonly kind: 'idle' }
  /** The server will restart after its delay. */
  | { readonly kind: 'waiting' }
  /** The server has ended too often. A later request may restart it. */
  | { readonly kind: 'given-up'; readonly since: number }
  /** A request is restarting the server, on which mcpmux had given up. */
  | { readonly kind: 'trying' };

/** Restarts a server whose run has ended on its own, if its restart policy permits this. */
export class Restarter {
  /** Describes the next restart and its time in a clause. Undefined if there is nothing to report. */
  restartNote: string | undefined;
  private currentState: RestartState = { kind: 'idle' };
  /** The times of the restarts, in milliseconds on the mux's clock. */
  private restartTimes: readonly number[] = [];
  /** The number of restarts since the last run that ended a streak. */
  private streak = 0;
  private runningSince: number | undefined;
  private timer: Timer | undefined;
  /** The start that a request has triggered and that is still in progress. */
  private trialStart: Promise<void> | undefined;

  /** @param start starts the server again; resolves when the server is running or, as its state shows, has failed */
  constructor(
    private readonly upstream: Upstream,
    private readonly kit: Kit<'retryGivenUpMs'>,
    private readonly start: () => Promise<void>,
  ) {}

  get state(): RestartState['kind'] {
    return this.currentState.kind;
  }

  /** Updates the restart state. Must be called whenever the server's state changes. */
  handleStateChange(): void {
    const { config, state } = this.upstream;
    if ((config.restart ?? 'never') === 'never') return;
    this.timer?.cancel();
    this.restartNote = undefined;
    if (state.kind === 'starting') this.setState(this.state === 'trying' ? 'trying' : 'idle');
    if (state.kind === 'running') {
      this.runningSince = this.kit.clock.now();
      this.setState('idle');
    }
    if (state.kind === 'crashed') this.handleCrash(state.failure);
  }

  /**
   * Restarts a server for a request if mcpmux gave up on it long enough ago. Resolves when it is running or has failed.
   */
  onRequest(): Promise<void> | undefined {
    const { currentState, kit } = this;
    if (currentState.kind === 'trying') return this.trialStart;
    const isDue =
      currentState.kind === 'given-up' && kit.clock.now() - currentState.since >= kit.limits.retryGivenUpMs;
    if (!isDue) return undefined;
    this.setState('trying');
    this.trialStart = this.restart();
    return this.trialStart;
  }

  private handleCrash(failure: RunFailure): void {
    const { clock } = this.kit;
    const now = clock.now();
    const wasTrial = this.state === 'trying';
    const decision = this.decide(failure, now);
    if (decision.kind === 'leave') return this.setState('idle');
    if (decision.kind === 'give-up' || wasTrial) return this.giveUp(now, wasTrial);
    this.setState('waiting');
    this.restartNote = `starts again ${decision.delayMs / 1000} s after its end`;
    this.timer = clock.schedule(() => void this.restartAfterDelay(), decision.delayMs);
  }

  private decide(failure: RunFailure, now: number): RestartDecision {
    const runDurationMs = this.runningSince === undefined ? 0 : now - this.runningSince;
    this.runningSince = undefined;
    if (runDurationMs >= STEADY_RUN_MS) this.streak = 0;
    this.restartTimes = this.restartTimes.filter((at) => now - at < WINDOW_MS);
    const { restartTimes, streak } = this;
    const { config } = this.upstream;
    const isSupervised = 'isSupervised' in config && (config.isSupervised ?? false);
    const mode = config.restart ?? 'never';
    return decideRestart({ mode, isSupervised, failure, now, restartTimes, streak }, Math.random());
  }

  private giveUp(since: number, wasTrial: boolean): void {
    const { logger, limits } = this.kit;
    this.currentState = { kind: 'given-up', since };
    const reason = wasTrial
      ? 'given up again: it ended after a call had started it'
      : `given up after ${this.restartTimes.length} restarts in ${WINDOW_MS / 1000} s`;
    const retrySeconds = limits.retryGivenUpMs / 1000;
    this.restartNote = `${reason}; after ${retrySeconds} s a call starts it once more; reload_server starts it at once`;
    logger.log('error', `server ${this.restartNote}`, { server: this.upstream.name });
  }

  /** Restarts the server after its delay. Errors are logged, because no caller is waiting for them. */
  private async restartAfterDelay(): Promise<void> {
    try {
      await this.restart();
    } catch (error) {
      const problem = messageOf(error);
      this.kit.logger.log('error', 'the restart failed', { server: this.upstream.name, problem });
    }
  }

  private async restart(): Promise<void> {
    const { clock, logger } = this.kit;
    if (this.upstream.state.kind !== 'crashed') return;
    this.restartTimes = [...this.restartTimes, clock.now()];
    this.streak += 1;
    const reason = this.state === 'trying' ? 'because it was called' : 'by itself';
    logger.log('info', `server starts again ${reason}`, { server: this.upstream.name });
    await this.start();
  }

  private setState(kind: 'idle' | 'waiting' | 'trying'): void {
    this.currentState = { kind };
    if (kind === 'trying') this.restartNote = 'starts once more because it was called';
  }
}
