import { waitAtMost, type Kit } from '@mcpmux/kit';
import type { FollowedSandbox } from '@mcpmux/sandbox';
import { REMOVE_TIMINGS } from '../../process/stop-ladder.js';
import type { EraClient } from '../dialect/second-era.js';
import type { Connection } from '../link/connection.js';
import type { Upstream } from '../upstream.js';
import type { Actor } from '../config/actor.js';
import { FirstClientRestart } from './first-client-restart.js';
import { IdleStopper } from './idle-stopper.js';
import { whenDone } from './registry-outcomes.js';
import { ReloadQueue, type ReloadOutcome } from './reload-queue.js';
import { Restarter, type RestartState } from './restarter.js';

/** The minimum time between two reopenings, in milliseconds. A session that is lost sooner is not reopened. */
const STEADY_SESSION_MS = 60_000;

/**
 * Starts and stops one server: restarts it, stops it when it is idle, reopens its session, and starts it for requests.
 */
export class Supervisor {
  private readonly reloadQueue = new ReloadQueue(() => this.reloadNow());
  private readonly restarter: Restarter;
  private readonly idleStopper: IdleStopper;
  /** When a session that was later reopened was last lost, in milliseconds on the mux's clock. */
  private sessionLostAt = -Infinity;
  /** Set while a new session is being opened beside the current one. */
  private reopening:
    | { readonly opened: Promise<boolean>; readonly settle: (isOpen: boolean) => void }
    | undefined;
  /** Restarts the server for its first client. */
  readonly firstClientRestart: FirstClientRestart;
  /** Resolves once mcpmux has sent the last call that required the server to run in another sandbox. */
  private lastSandboxCall: Promise<void> = Promise.resolve();
  /** When the server was last started in a call's sandbox, in milliseconds on the mux's clock. */
  private sandboxStartedAt = -Infinity;
  /** The first start. Set if requests must wait for it. */
  private firstStart: Promise<unknown> | undefined;

  /** @param reloading called when mcpmux itself restarts the server */
  constructor(
    private readonly upstream: Upstream,
    private readonly kit: Kit<'drainMs' | 'retryGivenUpMs'>,
    private readonly reloading: (by: Actor) => void,
  ) {
    this.restarter = new Restarter(upstream, kit, () => this.restartCrashed());
    this.firstClientRestart = new FirstClientRestart(upstream, (rule) => {
      reloading({ rule });
      return whenDone(this.reload());
    });
    this.idleStopper = new IdleStopper(upstream, kit.clock, () => this.stopIdle());
  }

  /** Describes the next restart in a clause. Set while the server is crashed and restarts are configured. */
  get restartNote(): string | undefined {
    return this.restarter.restartNote;
  }

  /** The state of the server's restarts. Undefined if no restart is pending. */
  get restartState(): Exclude<RestartState['kind'], 'idle'> | undefined {
    const { state } = this.restarter;
    return state === 'idle' ? undefined : state;
  }

  /** From now on, requests start the idle server and wait for its start. */
  enableWakeOnDemand(firstStart: Promise<unknown>): void {
    this.firstStart = firstStart;
  }

  /**
   * Starts a stopped server for a request, if it is idle or was given up long enough ago. A server that moves to
   * another mux starts there. Resolves when the server runs or fails. Returns undefined if no wait is needed.
   */
  wake(): Promise<void> | undefined {
    return (
      this.upstream.manager?.arriving?.() ??
      this.firstClientRestart.ongoingRestart ??
      this.wakeIdle() ??
      this.restarter.onRequest()
    );
  }

  /**
   * Starts the server in the sandbox of a call, after the calls in another sandbox have had `drainMs` to finish.
   * Resolves when the server runs or has failed. The server stays as it is if those calls continue, if the sandbox that
   * the client describes cannot be applied, or if the client has cancelled the call.
   *
   * @param key {@link FollowedSandbox.keyOf}
   */
  runInSandbox(
    key: string,
    followed: FollowedSandbox,
    call: { readonly isOpen: boolean; readonly caller: EraClient },
  ): Promise<void> {
    const since = this.kit.clock.now();
    // The calls wait one at a time. Each call is sent before the next one begins to wait.
    const sandboxCall = this.lastSandboxCall.then(async () => {
      if (!call.isOpen) return;
      await this.startInSandbox(key, followed, since);
      // If the call's client needs a second run, the call goes to that run.
      await this.upstream.secondRun.openFor(call.caller);
    });
    this.lastSandboxCall = whenDone(sandboxCall).then(
      () => new Promise<void>((resolve) => void this.kit.clock.schedule(resolve, 0)),
    );
    return sandboxCall;
  }

  /** @param since when the call began to wait for the calls in another sandbox, on the mux's clock */
  private async startInSandbox(key: string, followed: FollowedSandbox, since: number): Promise<void> {
    const { upstream, kit } = this;
    const { clock, limits } = kit;
    if (upstream.state.kind === 'starting') await (this.wake() ?? this.reloadQueue.whenIdle());
    if (followed.next.key === key) return this.wake();
    const sandbox = await followed.read(key);
    if (sandbox === undefined) return;
    const allIdle = Promise.all(upstream.connections.map(({ calls }) => calls.whenIdle()));
    // Calls that wait at the same time share one waiting period. Otherwise, the last call would wait for each of them.
    const waitedMs = clock.now() - Math.max(since, this.sandboxStartedAt);
    await waitAtMost(Math.max(0, limits.drainMs - waitedMs), allIdle, clock);
    const isUnavailable = ['starting', 'removed'].includes(upstream.state.kind);
    if (isUnavailable || upstream.connections.some(hasOpenCalls)) return;
    followed.next = sandbox;
    this.reloading({ rule: 'sandbox of its client' });
    await whenDone(this.reload());
    this.sandboxStartedAt = clock.now();
  }

  /** Records that a request was sent to the server. */
  recordUse(): void {
    this.idleStopper.recordUse();
  }

  /** Starts the server for the first time. Resolves when it is running or has failed, and no reload is in progress. */
  async start(): Promise<void> {
    await this.upstream.start();
    await this.reloadQueue.whenIdle();
  }

  reload(): ReloadOutcome {
    return this.reloadQueue.requestReload();
  }

  /** Updates the restart state, the idle timer and reopening. Must be called whenever the server's state changes. */
  handleStateChange(): void {
    this.restarter.handleStateChange();
    this.idleStopper.handleStateChange();
    this.reopening?.settle(this.upstream.state.kind === 'running');
  }

  /** Called when a remote server's session is lost. Returns true if it opens a new session. */
  handleLostSession(): boolean {
    const { clock, logger } = this.kit;
    const now = clock.now();
    if (now - this.sessionLostAt < STEADY_SESSION_MS) return false;
    this.sessionLostAt = now;
    logger.log('warn', 'the session was lost and is opened again', { server: this.upstream.name });
    this.reloading({ rule: 'session lost' });
    void this.reload();
    return true;
  }

  /**
   * Called when a remote server's session may be lost. Opens a new session, at most once per minute. Resolves to true
   * if the new session serves. Otherwise, the current session continues.
   */
  handleDoubtedSession(): Promise<boolean> {
    const { reopening, upstream, kit } = this;
    if (reopening !== undefined) return reopening.opened;
    const now = kit.clock.now();
    if (
      upstream.state.kind !== 'running' ||
      this.reloadQueue.isBusy ||
      now - this.sessionLostAt < STEADY_SESSION_MS
    )
      return Promise.resolve(false);
    this.sessionLostAt = now;
    kit.logger.log('warn', 'the session may be lost; a new one is opened', { server: upstream.name });
    this.reloading({ rule: 'session lost' });
    return this.reopen();
  }

  private reopen(): Promise<boolean> {
    let settle = (_isOpen: boolean): void => undefined;
    const opened = new Promise<boolean>((resolve) => (settle = resolve));
    this.reopening = { opened, settle };
    const finish = (isOpen: boolean): void => {
      settle(isOpen);
      this.reopening = undefined;
    };
    this.reload().then(
      (failure) => finish(failure === undefined),
      () => finish(false),
    );
    return opened;
  }

  private wakeIdle(): Promise<void> | undefined {
    const { state } = this.upstream;
    if (this.firstStart === undefined) return undefined;
    if (state.kind === 'idle') {
      this.reloading({ rule: 'needed' });
      return whenDone(this.reload());
    }
    if (state.kind !== 'starting') return undefined;
    return whenDone(
      state.generation <= 1 && !this.reloadQueue.isBusy ? this.firstStart : this.reloadQueue.whenIdle(),
    );
  }

  private async restartCrashed(): Promise<void> {
    // The run may have ended during a swap that is still in progress.
    if (this.reloadQueue.isBusy) await this.reloadQueue.whenIdle();
    if (this.upstream.state.kind !== 'crashed') return;
    this.reloading({ rule: 'restart' });
    await this.reload();
  }

  private stopIdle(): void {
    this.upstream.markIdle();
    void this.upstream.endRun({ kind: 'reloaded' }, 0, REMOVE_TIMINGS);
  }

  private reloadNow(): ReloadOutcome {
    const { upstream } = this;
    const { drainMs } = this.kit.limits;
    // Only a running server can be swapped. Two runs of a server that follows clients could have different sandboxes.
    const canSwap =
      upstream.followedSandbox === undefined &&
      (upstream.config.reload === 'swap' || this.reopening !== undefined) &&
      upstream.state.kind === 'running';
    return canSwap ? upstream.swap(drainMs, REMOVE_TIMINGS) : upstream.reload(drainMs, REMOVE_TIMINGS);
  }
}

function hasOpenCalls({ calls }: Connection): boolean {
  const isSuspended = [...calls.suspendedCalls].some(({ exchange }) => exchange.isOpen);
  return isSuspended || [...calls.callOrigins()].length > 0;
}
