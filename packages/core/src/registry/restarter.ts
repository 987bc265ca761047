import type { Clock, Timer } from '../clock.js';
import type { Logger } from '../logger.js';
import type { Upstream } from '../upstream/upstream.js';
import { decideRestart, STEADY_RUN_MS, WINDOW_MS } from './restart-policy.js';

/** What a {@link Restarter} works with. */
export interface RestarterComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Starts the server again. Its outcome shows in its state. */
  readonly restart: (upstream: Upstream) => void;
  /** 0 to 1. */
  readonly random: () => number;
}

/** What is remembered of one server that restarts by itself. */
interface History {
  restarts: readonly number[];
  streak: number;
  runningSince: number | undefined;
  timer: Timer | undefined;
}

/** Starts servers again whose run has ended by itself, where their configuration says so. */
export class Restarter {
  private readonly histories = new WeakMap<Upstream, History>();

  constructor(private readonly components: RestarterComponents) {}

  /** To be called at every change of a server's state. */
  stateChanged(upstream: Upstream): void {
    const { restart: mode = 'never' } = upstream.config;
    if (mode === 'never') return;
    const history = this.historyOf(upstream);
    history.timer?.cancel();
    history.timer = undefined;
    const { state } = upstream;
    upstream.restartNote = undefined;
    if (state.kind === 'running') history.runningSince = this.components.clock.now();
    if (state.kind === 'crashed') this.crashed(upstream, history);
  }

  private crashed(upstream: Upstream, history: History): void {
    const { clock, logger, random } = this.components;
    const { state, config, name: server } = upstream;
    if (state.kind !== 'crashed') return;
    const now = clock.now();
    const ranMs = history.runningSince === undefined ? 0 : now - history.runningSince;
    history.runningSince = undefined;
    if (ranMs >= STEADY_RUN_MS) history.streak = 0;
    history.restarts = history.restarts.filter((at) => now - at < WINDOW_MS);
    const { restarts, streak } = history;
    const decision = decideRestart(
      { mode: config.restart ?? 'never', failure: state.failure, now, restarts, streak },
      random(),
    );
    if (decision.kind === 'leave') return;
    if (decision.kind === 'give-up') {
      upstream.restartNote = `given up after ${restarts.length} restarts in ${WINDOW_MS / 1000} s; call reload_server`;
      logger.log('error', `server ${upstream.restartNote}`, { server });
      return;
    }
    upstream.restartNote = `starts again ${decision.delayMs / 1000} s after its end`;
    history.timer = clock.schedule(() => this.again(upstream, history), decision.delayMs);
  }

  private again(upstream: Upstream, history: History): void {
    history.timer = undefined;
    if (upstream.state.kind !== 'crashed') return;
    history.restarts = [...history.restarts, this.components.clock.now()];
    history.streak += 1;
    this.components.logger.log('info', 'server starts again by itself', { server: upstream.name });
    this.components.restart(upstream);
  }

  private historyOf(upstream: Upstream): History {
    let history = this.histories.get(upstream);
    if (history === undefined) {
      history = { restarts: [], streak: 0, runningSince: undefined, timer: undefined };
      this.histories.set(upstream, history);
    }
    return history;
  }
}
