import { Redactor, type TextMask, type Timer, waitAtMost } from '@mcpmux/kit';
import type { ChannelEnd } from '@mcpmux/wire';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import type { ProcessExit } from '../../process/process-spec.js';
import type { ClientProfile } from '../dialect/client-profile.js';
import { configSecrets } from '../config/config-secrets.js';
import { Connection } from '../link/connection.js';
import { withRefusals, withStdout, type RunFailure } from '../link/run-failure.js';
import { readLists } from '../lists/server-lists.js';
import type { Endpoint, LaunchingRun } from './endpoint.js';
import { HealthCheck, type HealthReport } from './health-check.js';
import { Launch } from './launch.js';
import type { RunStartResult, ServerRunEvents, ServerRunInit, SingleRunInit } from './run-contract.js';
import { openingInitOf, type StartProgress, startFailure } from './run-start.js';
import type { RunComponents } from './run-components.js';
import { StrayLines } from './stray-lines.js';

type RunState =
  | { readonly kind: 'new' }
  /**
   * `phase` is the request to which the server must respond next, or `launch`. Working servers may exit when probed.
   */
  | { readonly kind: 'starting'; readonly phase: string; readonly isProbe?: boolean }
  | { readonly kind: 'serving' }
  | { readonly kind: 'over'; readonly failure: RunFailure };

/** One run of a server: launch, open, list, serve, stop. Used once, so late events cannot affect the next run. */
export class ServerRun {
  /** The connection. Undefined before the launch and after the end. Only this class sets it. */
  connection: Connection | undefined;
  /** The client whose capabilities the handshake declared. Undefined before the handshake, and in the modern era. */
  openedAs: ClientProfile | undefined;
  private state: RunState = { kind: 'new' };
  private deadline = 0;
  private endTimer: Timer | undefined;
  private healthCheck: HealthCheck | undefined;
  private launch: Launch;
  private hasExitedOnProbe = false;
  private mask: TextMask;
  private readonly strayLines: StrayLines;

  constructor(
    private readonly init: ServerRunInit,
    private readonly runInit: SingleRunInit,
    private readonly components: RunComponents,
    private readonly events: ServerRunEvents,
  ) {
    const { limits, clock } = components;
    this.mask = new Redactor([...configSecrets(init.config), ...init.secrets]);
    this.strayLines = new StrayLines(limits.maxStderrLinesPerSecond, clock, (line) =>
      events.onReport({ kind: 'stdout', line }),
    );
    this.launch = this.createLaunch();
  }

  /** True while clients' calls may be in flight. */
  get isServing(): boolean {
    return this.state.kind === 'serving';
  }

  /** The results of the run's pings so far. Undefined without a health check. */
  get health(): HealthReport | undefined {
    return this.healthCheck?.report;
  }

  /** The reason why the run has ended. Undefined before its end. */
  get failure(): RunFailure | undefined {
    return this.state.kind === 'over' ? this.state.failure : undefined;
  }

  /**
   * Starts the server. Resolves to undefined if the run has failed. By then, `events.failed` has been called, and
   * all processes of the run have ended.
   */
  async start(): Promise<RunStartResult | undefined> {
    if (this.state.kind !== 'new') throw new Error('a run is started once');
    this.enterState({ kind: 'starting', phase: 'launch' });
    this.deadline = this.components.clock.now() + this.startTimeoutMs;
    try {
      const ready = await this.launchAndOpen();
      if (ready !== undefined) return ready;
    } catch (error) {
      this.fail(startFailure(error, this.startProgress()));
    } finally {
      this.launch.freeSlot();
    }
    await this.stop(ABORT_TIMINGS);
    return undefined;
  }

  /** Ends the run with `failure` once the calls in flight have ended, or after `drainMs`. */
  async retire(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    const { connection } = this;
    if (this.isServing && connection !== undefined)
      await waitAtMost(drainMs, connection.calls.whenIdle(), this.components.clock);
    await this.end(failure, timings);
  }

  /** Ends the run with `failure`: fails every pending call, then stops the run's processes. */
  async end(failure: RunFailure, timings: StopTimings): Promise<void> {
    this.fail(failure);
    await this.stop(timings);
  }

  /** Stops the processes. Resolves when all processes of this run have ended. */
  stop(timings: StopTimings): Promise<void> {
    return this.launch.stop(timings);
  }

  /** Drops this run's further requests and notifications. Called once another run serves instead. */
  mute(): void {
    this.runInit.inbox.close();
  }

  private createLaunch(): Launch {
    const { init, components, events } = this;
    const run: LaunchingRun = {
      server: init.server,
      runId: this.runInit.runId,
      followedSandbox: init.followed,
      mask: this.mask,
      addSecret: (value) => (run.mask = this.mask = init.addSecret?.(value) ?? this.mask),
      isOver: () => this.state.kind === 'over',
      report: events.onReport,
      onProcessExit: (exit) => {
        if (launch === this.launch) this.handleExit(exit);
      },
      isAwaited: (id) => this.connection?.calls.isOpen(id) === true,
      onUndelivered: (id, failure) => this.connection?.calls.failRequest(id, failure),
      onSessionDoubted: events.onSessionDoubted,
    };
    const launch = new Launch(init.config, components, run);
    return launch;
  }

  private async launchAndOpen(): Promise<RunStartResult | undefined> {
    const endpoint = await this.launch.startWithin(this.timeLeftMs());
    const connection = this.createConnection(endpoint);
    if (this.connection === undefined) return undefined;
    const wasRelaunched = this.hasExitedOnProbe;
    try {
      return await this.openAndList(endpoint, connection);
    } catch (error) {
      if (wasRelaunched || !this.hasExitedOnProbe || this.state.kind === 'over') throw error;
    }
    await this.launch.stop(ABORT_TIMINGS);
    this.launch = this.createLaunch();
    return this.launchAndOpen();
  }

  private async openAndList(
    { pid, http, confinedBy }: Endpoint,
    connection: Connection,
  ): Promise<RunStartResult | undefined> {
    const { components, init, runInit } = this;
    const opening = openingInitOf(init, runInit.secondEra, components);
    const identity = await components.open({
      ...opening,
      link: connection,
      http,
      timeLeftMs: () => this.timeLeftMs(),
      onRequest: (phase, isProbe) => void this.enterState({ kind: 'starting', phase, isProbe }),
    });
    this.openedAs = connection.dialect.era === 'legacy' ? opening.profile : undefined;
    if (!this.enterState({ kind: 'starting', phase: 'tools/list' })) return undefined;
    runInit.inbox.open();
    const { limits } = components;
    const listings = await readLists(connection, identity.capabilities, limits, () => this.timeLeftMs());
    if (!this.enterState({ kind: 'serving' })) return undefined;
    this.healthCheck?.scheduleCheck();
    return { pid, confinedBy, identity, listings, hasSession: http?.hasSession ?? true };
  }

  private handleExit(exit: ProcessExit): void {
    const { state, launch, connection } = this;
    const failure = { kind: 'exited', exit, stderrTail: launch.stderrTail } as const;
    if (state.kind !== 'starting' || state.isProbe !== true || this.hasExitedOnProbe)
      return this.fail(failure);
    this.hasExitedOnProbe = true;
    this.components.verdicts.record(this.init.config, 'legacy');
    connection?.failAll(failure);
  }

  private createConnection(endpoint: Endpoint): Connection {
    const { init, mask } = this;
    const { inbox } = this.runInit;
    const { clock, logger, limits, dialect } = this.components;
    const { server } = init;
    const onEnd = (end: ChannelEnd): void => this.handleChannelEnd(endpoint, end);
    const onStrayLine = (line: string): void => this.strayLines.add(line);
    const components = { clock, logger, limits, dialect, mask, server, within: endpoint.within };
    const connection = new Connection(endpoint.channel, { inbox, onEnd, onStrayLine }, components);
    inbox.bind(connection);
    if (this.state.kind !== 'over') this.connection = connection;
    const { health } = init.config;
    if (health !== undefined)
      this.healthCheck = new HealthCheck(health, connection, clock, (pings) => {
        const { stderrTail } = this.launch;
        void this.end({ kind: 'unresponsive', pings, tool: health.tool, stderrTail }, ABORT_TIMINGS);
      });
    connection.open();
    return connection;
  }

  private handleChannelEnd(endpoint: Endpoint, end: ChannelEnd): void {
    if (this.state.kind === 'over') return;
    const endRun = (): void => {
      const failure = endpoint.failureOf(end);
      if (failure !== undefined) void this.end(failure, ABORT_TIMINGS);
    };
    if (endpoint.endGraceMs === 0) return endRun();
    this.endTimer = this.components.clock.schedule(endRun, endpoint.endGraceMs);
  }

  private enterState(state: RunState): boolean {
    if (this.state.kind === 'over') return false;
    this.state = state;
    return true;
  }

  private fail(reason: RunFailure): void {
    if (this.state.kind === 'over') return;
    this.strayLines.end();
    const { explainRefusals } = this.launch;
    const withOutput = withStdout(reason, this.strayLines.excerpt);
    const failure = explainRefusals === undefined ? withOutput : withRefusals(withOutput, explainRefusals);
    this.state = { kind: 'over', failure };
    this.endTimer?.cancel();
    this.healthCheck?.end();
    const { connection } = this;
    this.connection = undefined;
    connection?.failAll(failure);
    this.events.onFailure(failure);
  }

  /** Returns the progress of starting the server. */
  private startProgress(): StartProgress {
    const { state, startTimeoutMs: afterMs, mask, launch } = this;
    const phase = state.kind === 'starting' ? state.phase : 'launch';
    return { phase, afterMs, mask, stderrTail: launch.stderrTail };
  }

  private get startTimeoutMs(): number {
    return this.init.config.startTimeoutMs ?? this.components.limits.startTimeoutMs;
  }

  private timeLeftMs(): number {
    return Math.max(0, this.deadline - this.components.clock.now());
  }
}
