import type { Clock, Timer } from '../base/clock.js';
import { messageOf } from '../base/errors.js';
import type { Logger } from '../base/logger.js';
import type { Upstream } from '../upstream/upstream.js';
import { decideRestart, STEADY_RUN_MS, WINDOW_MS } from './restart-policy.js';
import { IDLE, nextRestartState, type RestartEvent, type RestartState } from './restart-state.js';

/** What a {@link Restarter} works with. */
export interface RestarterComponents {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Starts the server again. Resolves when it runs, or has failed to: its outcome shows in its state. */
  readonly restart: (upstream: Upstream) => Promise<void>;
  /** 0 to 1. */
  readonly random: () => number;
  /** A server that was given up that long ago is started once more for a request that needs it, in milliseconds. */
  readonly retryAfterMs: number;
}

/** What is remembered of one server that restarts by itself. */
interface History {
  state: RestartState;
  restarts: readonly number[];
  streak: number;
  runningSince: number | undefined;
  timer: Timer | undefined;
  /** The start that is under way because a request needs the server. */
  trial: Promise<void> | undefined;
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
    if (state.kind === 'starting') this.apply(upstream, history, { kind: 'starts' });
    if (state.kind === 'running') {
      history.runningSince = this.components.clock.now();
      this.apply(upstream, history, { kind: 'runs' });
    }
    if (state.kind === 'crashed') this.crashed(upstream, history);
  }

  private crashed(upstream: Upstream, history: History): void {
    const { clock, random } = this.components;
    const { state, config } = upstream;
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
    const before = history.state;
    this.apply(upstream, history, { kind: 'ended', decision, at: now });
    if (history.state.kind === 'given-up') this.givenUp(upstream, history, before);
    if (history.state.kind !== 'waiting' || decision.kind !== 'restart') return;
    upstream.restartNote = `starts again ${decision.delayMs / 1000} s after its end`;
    history.timer = clock.schedule(() => void this.inTime(upstream, history), decision.delayMs);
  }

  private givenUp(upstream: Upstream, { restarts }: History, before: RestartState): void {
    const { logger, retryAfterMs } = this.components;
    const why =
      before.kind === 'trying'
        ? 'given up again: it ended when a call had started it'
        : `given up after ${restarts.length} restarts in ${WINDOW_MS / 1000} s`;
    upstream.restartNote = `${why}; a call after ${retryAfterMs / 1000} s starts it once more, reload_server at once`;
    logger.log('error', `server ${upstream.restartNote}`, { server: upstream.name });
  }

  /** A request has come for a server that does not run: resolves when it has had its one start. */
  private needed(upstream: Upstream, history: History): Promise<void> | undefined {
    const { clock, retryAfterMs } = this.components;
    const before = history.state;
    this.apply(upstream, history, { kind: 'needed', at: clock.now(), retryAfterMs });
    if (history.state.kind !== 'trying') return undefined;
    if (before.kind !== 'trying') history.trial = this.again(upstream, history);
    return history.trial;
  }

  /** Nobody waits for it: what goes wrong is told to the log. */
  private async inTime(upstream: Upstream, history: History): Promise<void> {
    try {
      await this.again(upstream, history);
    } catch (error) {
      const problem = messageOf(error);
      this.components.logger.log('error', 'the restart failed', { server: upstream.name, problem });
    }
  }

  private async again(upstream: Upstream, history: History): Promise<void> {
    history.timer = undefined;
    if (upstream.state.kind !== 'crashed') return;
    history.restarts = [...history.restarts, this.components.clock.now()];
    history.streak += 1;
    const why = history.state.kind === 'trying' ? 'because it was called' : 'by itself';
    this.components.logger.log('info', `server starts again ${why}`, { server: upstream.name });
    await this.components.restart(upstream);
  }

  private apply(upstream: Upstream, history: History, event: RestartEvent): void {
    history.state = nextRestartState(history.state, event);
    const { kind } = history.state;
    upstream.restartState = kind === 'idle' ? undefined : kind;
    if (history.state.kind === 'trying') upstream.restartNote = 'starts once more because it was called';
  }

  private historyOf(upstream: Upstream): History {
    const known = this.histories.get(upstream);
    if (known !== undefined) return known;
    const history: History = {
      state: IDLE,
      restarts: [],
      streak: 0,
      runningSince: undefined,
      timer: undefined,
      trial: undefined,
    };
    this.histories.set(upstream, history);
    const { revive } = upstream;
    upstream.revive = () => revive() ?? this.needed(upstream, history);
    return history;
  }
}
