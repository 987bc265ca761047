import type { Limits } from '@mcpmux/kit';
import { REMOVE_TIMINGS } from '../../process/stop-ladder.js';
import { isRemote } from '../config/server-config.js';
import type { Era } from '../dialect/era.js';
import type { Upstream } from '../upstream.js';
import type { Actor } from './actor.js';
import { IdleStopper } from './idle-stopper.js';
import { settled } from './registry-outcomes.js';
import { ReloadQueue, type ReloadOutcome } from './reload-queue.js';
import { Restarter, type RestarterComponents, type RestartState } from './restarter.js';

/** A session lost this soon after another loss is not reopened: the server keeps no sessions. In milliseconds. */
const STEADY_SESSION_MS = 60_000;

/** The dependencies of a {@link Supervisor}. */
export interface SupervisorComponents extends RestarterComponents {
  readonly limits: Pick<Limits, 'drainMs' | 'retryGivenUpMs'>;
  /** Called when the server restarts without a request of its user. */
  readonly reloading: (by: Actor) => void;
}

/** Decides when one server starts and stops: its restarts, its idle stop, the reopening of its session, and waking. */
export class Supervisor {
  private readonly reloads = new ReloadQueue(() => this.reloadNow());
  private readonly restarter: Restarter;
  private readonly idleStopper: IdleStopper;
  /** The time of the last session loss that led to reopening. A reading of the clock. */
  private sessionLostAt = -Infinity;
  /** A new session is being opened beside the one of now. */
  private reopening:
    | { readonly opened: Promise<boolean>; readonly settle: (isOpen: boolean) => void }
    | undefined;
  /** The server is being opened anew, in another era. */
  private reopeningIn: Promise<void> | undefined;
  /** The first start, when requests wait for that start. */
  private firstStart: Promise<unknown> | undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly components: SupervisorComponents,
  ) {
    this.restarter = new Restarter(upstream, components, () => this.restartCrashed());
    this.idleStopper = new IdleStopper(upstream, components.clock, () => this.stopIdle());
  }

  /** Half a sentence on whether and when the server restarts by itself; set while it is crashed and restarts are on. */
  get restartNote(): string | undefined {
    return this.restarter.note;
  }

  /** The state of the server's restarts; undefined when no restart is due. */
  get restartState(): Exclude<RestartState['kind'], 'idle'> | undefined {
    const { state } = this.restarter;
    return state === 'idle' ? undefined : state;
  }

  /** From now on a request wakes the idle server, and waits while the server starts. */
  wakesOnDemand(firstStart: Promise<unknown>): void {
    this.firstStart = firstStart;
  }

  /**
   * Starts a stopped server that a request needs: an idle server, or one that was given up long enough ago. A server that
   * moves to another mux starts there.
   * Resolves when the server runs or has failed. Undefined when nothing is started.
   */
  wake(): Promise<void> | undefined {
    return (
      this.upstream.manager?.arriving?.() ?? this.reopeningIn ?? this.wakeIdle() ?? this.restarter.needed()
    );
  }

  /**
   * Starts a program anew in the era of the first client that needs it. Resolves when it runs or has failed. Undefined where
   * its run has served a client, or a client has chosen its era: then it stays as it is.
   */
  reopenUnused(era: Era): Promise<void> | undefined {
    const { connection, preferred, config } = this.upstream;
    const isUnused = connection?.calls.hasServed === false && preferred === undefined && !isRemote(config);
    if (isUnused) this.reopeningIn ??= this.reopenFirstIn(era);
    return isUnused ? this.reopeningIn : undefined;
  }

  /** Records that a request was sent to the server. */
  used(): void {
    this.idleStopper.used();
  }

  /** Starts the server for the first time. Resolves when the server runs or has failed, and no reload is under way. */
  async start(): Promise<void> {
    await this.upstream.start();
    await this.reloads.settled();
  }

  reload(): ReloadOutcome {
    return this.reloads.add();
  }

  /** Call at every change of the server's state. */
  stateChanged(): void {
    this.restarter.stateChanged();
    this.idleStopper.stateChanged();
    this.reopening?.settle(this.upstream.state.kind === 'running');
  }

  /** Handles a remote server that has lost its session. Returns whether a new session is being opened. */
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

  /**
   * A remote server may have lost its session. Opens a new one, which takes over once it serves; where it cannot be opened
   * everything stays as it was. Resolves to whether the new session serves. At most one in a minute is tried.
   */
  sessionDoubted(): Promise<boolean> {
    const { reopening, upstream, components } = this;
    if (reopening !== undefined) return reopening.opened;
    const now = components.clock.now();
    if (
      upstream.state.kind !== 'running' ||
      this.reloads.isBusy ||
      now - this.sessionLostAt < STEADY_SESSION_MS
    )
      return Promise.resolve(false);
    this.sessionLostAt = now;
    components.logger.log('warn', 'the session may be lost; a new one is opened', { server: upstream.name });
    components.reloading({ rule: 'session lost' });
    return this.reopen();
  }

  private async reopenFirstIn(era: Era): Promise<void> {
    const { upstream } = this;
    const { dialect } = upstream.connection ?? {};
    await this.reloadIn(era);
    // It ran before, in the other era.
    if (upstream.state.kind === 'crashed' && dialect !== undefined) await this.reloadIn(dialect.era);
    this.reopeningIn = undefined;
  }

  private async reloadIn(era: Era): Promise<void> {
    this.upstream.preferred = era;
    this.components.reloading({ rule: 'era of its client' });
    await settled(this.reload());
  }

  private reopen(): Promise<boolean> {
    let settle = (_isOpen: boolean): void => undefined;
    const opened = new Promise<boolean>((resolve) => (settle = resolve));
    this.reopening = { opened, settle };
    const ended = (isOpen: boolean): void => {
      settle(isOpen);
      this.reopening = undefined;
    };
    this.reload().then(
      (failure) => ended(failure === undefined),
      () => ended(false),
    );
    return opened;
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
    // A swap needs a running server.
    const isSwap =
      (upstream.config.reload === 'swap' || this.reopening !== undefined) &&
      upstream.state.kind === 'running';
    return isSwap ? upstream.swap(drainMs, REMOVE_TIMINGS) : upstream.reload(drainMs, REMOVE_TIMINGS);
  }
}
