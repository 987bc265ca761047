import type { Limits } from '../base/limits.js';
import { REMOVE_TIMINGS } from '../process/stop-ladder.js';
import type { Upstream } from '../upstream/upstream.js';
import type { Actor } from './actor.js';
import { IdleStopper } from './idle-stopper.js';
import { settled } from './registry-outcomes.js';
import { ReloadQueue, type ReloadOutcome } from './reload-queue.js';
import { Restarter, type RestarterComponents, type RestartState } from './restarter.js';

/** A session that is lost this soon after another one is not opened again: the server keeps none. In milliseconds. */
const STEADY_SESSION_MS = 60_000;

/** What a {@link Supervisor} works with. */
export interface SupervisorComponents extends RestarterComponents {
  readonly limits: Pick<Limits, 'drainMs' | 'retryGivenUpMs'>;
  /** The server starts again without its user having asked for it. */
  readonly reloading: (by: Actor) => void;
}

/** Decides when one server starts and stops: its restarts, its idle stop, the reopening of its session, and waking. */
export class Supervisor {
  private readonly reloads = new ReloadQueue(() => this.reloadNow());
  private readonly restarter: Restarter;
  private readonly idleStopper: IdleStopper;
  /** When a session was lost that was opened again. A reading of the clock. */
  private sessionLostAt = -Infinity;
  /** The first start, if requests wait for it. */
  private firstStart: Promise<unknown> | undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly components: SupervisorComponents,
  ) {
    this.restarter = new Restarter(upstream, components, () => this.restartCrashed());
    this.idleStopper = new IdleStopper(upstream, components.clock, () => this.stopIdle());
  }

  /** Whether and when the server starts again by itself, in half a sentence; while it is crashed and restarts are on. */
  get restartNote(): string | undefined {
    return this.restarter.note;
  }

  /** How the server's restarts stand; undefined where none is due. */
  get restartState(): Exclude<RestartState['kind'], 'idle'> | undefined {
    const { state } = this.restarter;
    return state === 'idle' ? undefined : state;
  }

  /** From now on a request wakes the server when it is idle, and waits while it starts. */
  wakesOnDemand(firstStart: Promise<unknown>): void {
    this.firstStart = firstStart;
  }

  /**
   * Starts a server that does not run because a request needs it: one that is idle, or that was given up long enough ago.
   * Resolves when the server runs or has failed. Undefined when nothing is started.
   */
  wake(): Promise<void> | undefined {
    return this.wakeIdle() ?? this.restarter.needed();
  }

  /** A request was sent to the server. */
  used(): void {
    this.idleStopper.used();
  }

  /** Starts the server for the first time. Resolves when it runs or has failed, and no reload is under way. */
  async start(): Promise<void> {
    await this.upstream.start();
    await this.reloads.settled();
  }

  reload(): ReloadOutcome {
    return this.reloads.add();
  }

  /** To be called at every change of the server's state. */
  stateChanged(): void {
    this.restarter.stateChanged();
    this.idleStopper.stateChanged();
  }

  /** A server at a url has forgotten its session. Returns whether a new one is being opened. */
  sessionLost(): boolean {
    const { clock, logger, reloading } = this.components;
    const now = clock.now();
    if (now - this.sessionLostAt < STEADY_SESSION_MS) return false;
    this.sessionLostAt = now;
    logger.log('warn', 'the session was lost and is opened again', { server: this.upstream.name });
    reloading({ rule: 'session lost' });
    void this.reload();
    return true;
  }

  private wakeIdle(): Promise<void> | undefined {
    const { state } = this.upstream;
    if (this.firstStart === undefined) return undefined;
    if (state.kind === 'idle') {
      this.components.reloading({ rule: 'needed' });
      return settled(this.reload());
    }
    if (state.kind !== 'starting') return undefined;
    return settled(state.generation <= 1 && !this.reloads.isBusy ? this.firstStart : this.reloads.settled());
  }

  private async restartCrashed(): Promise<void> {
    // The run may have ended during a swap, whose outcome is not known yet.
    if (this.reloads.isBusy) await this.reloads.settled();
    if (this.upstream.state.kind !== 'crashed') return;
    this.components.reloading({ rule: 'restart' });
    await this.reload();
  }

  private stopIdle(): void {
    this.upstream.markIdle();
    void this.upstream.endRun({ kind: 'reloaded' }, 0, REMOVE_TIMINGS);
  }

  private reloadNow(): ReloadOutcome {
    const { upstream } = this;
    const { drainMs } = this.components.limits;
    // A server that does not run has nothing to go on with.
    const isSwap = upstream.config.reload === 'swap' && upstream.state.kind === 'running';
    return isSwap ? upstream.swap(drainMs, REMOVE_TIMINGS) : upstream.reload(drainMs, REMOVE_TIMINGS);
  }
}
