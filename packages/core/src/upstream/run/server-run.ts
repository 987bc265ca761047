import type { ServerName } from '@mcpmux/namespace';
import type { ChannelEnd } from '@mcpmux/wire';
import { waitAtMost, type Timer } from '../../base/clock.js';
import { messageOf } from '../../base/errors.js';
import { escapeControls } from '../../base/escape-controls.js';
import { shownStart, type TextMask } from '../../base/text-mask.js';
import { Redactor } from '../../redact/redactor.js';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import { withoutDenied } from '../../dialect/client-requests.js';
import { secretsOfConfig } from '../config/config-secrets.js';
import type { Layer } from '../config/layer.js';
import type { AnyServerConfig } from '../config/server-config.js';
import { Connection } from '../link/connection.js';
import { OwnRequestError } from '../link/own-request.js';
import { withStdout, type RunFailure } from '../link/run-failure.js';
import { readLists, type Listings } from '../lists/server-lists.js';
import type { Endpoint } from './endpoint.js';
import type { ServerIdentity } from '../../dialect/server-identity.js';
import { HealthCheck } from './health-check.js';
import { Launch } from './launch.js';
import type { RunComponents } from './run-components.js';
import type { RunInbox } from './run-inbox.js';
import { StrayLines } from './stray-lines.js';

/** Characters of a problem that a server may have worded. */
const MAX_PROBLEM = 5000;

/** Which server a {@link ServerRun} runs. */
export interface ServerRunInit {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  /** Where it is registered. */
  readonly layer: Layer;
  /** Besides those of its `env` or headers: what of its arguments nobody should read. */
  readonly secrets: readonly string[];
  /** Unique among all runs of this mux. */
  readonly runId: number;
  /** Takes what the server sends on its own. */
  readonly inbox: RunInbox;
}

/** Takes what happens to a {@link ServerRun}. */
export interface ServerRunEvents {
  readonly stderrLine: (line: string) => void;
  /** A line on stdout that is no MCP. */
  readonly stdoutLine: (line: string) => void;
  /** Its process is there. */
  readonly spawned: (pid: number) => void;
  /** The run has ended, or never began. At most once. */
  readonly failed: (failure: RunFailure) => void;
}

/** What a successful start has found out. */
export interface RunReady {
  /** Null for a server at a url. */
  readonly pid: number | null;
  readonly identity: ServerIdentity;
  readonly listings: Listings;
}

type State =
  | { readonly kind: 'new' }
  /** `phase`: the request that the server must answer next, or `launch`. */
  | { readonly kind: 'starting'; readonly phase: string }
  | { readonly kind: 'serving' }
  | { readonly kind: 'over'; readonly failure: RunFailure };

/**
 * One run of one server: launch, initialize, list, serve, stop. Single use: a reload makes a new one, so nothing that
 * an old process still does can reach its successor.
 */
export class ServerRun {
  /** The connection; undefined before the launch and after the end. Set here alone. */
  live: Connection | undefined;
  private state: State = { kind: 'new' };
  private deadline = 0;
  private endGrace: Timer | undefined;
  private health: HealthCheck | undefined;
  private readonly launch: Launch;
  private readonly mask: TextMask;
  private readonly stray: StrayLines;

  constructor(
    private readonly init: ServerRunInit,
    private readonly components: RunComponents,
    private readonly events: ServerRunEvents,
  ) {
    const { limits, clock } = components;
    this.mask = new Redactor([...secretsOfConfig(init.config), ...init.secrets]);
    this.stray = new StrayLines(limits.maxStderrLinesPerSecond, clock, events.stdoutLine);
    this.launch = new Launch(init.config, components, {
      server: init.server,
      runId: init.runId,
      mask: this.mask,
      isOver: () => this.state.kind === 'over',
      spawned: events.spawned,
      stderrLine: events.stderrLine,
      exited: (exit) => this.fail({ kind: 'exited', exit, stderrTail: this.launch.stderrTail }),
      undelivered: (id, failure) => this.live?.calls.fail(id, failure),
    });
  }

  /** True while clients' calls can be in flight. */
  get isServing(): boolean {
    return this.state.kind === 'serving';
  }

  /** Why the run is over, once it is. */
  get failure(): RunFailure | undefined {
    return this.state.kind === 'over' ? this.state.failure : undefined;
  }

  /**
   * Starts the server. Resolves to undefined when the run failed meanwhile: `events.failed` has been told why, and no
   * process of it is left.
   */
  async start(): Promise<RunReady | undefined> {
    if (this.state.kind !== 'new') throw new Error('a run is started once');
    this.enter({ kind: 'starting', phase: 'launch' });
    this.deadline = this.components.clock.now() + this.startTimeoutMs;
    try {
      const ready = await this.bringUp();
      if (ready !== undefined) return ready;
    } catch (error) {
      this.fail(this.failureOf(error));
    } finally {
      this.launch.settled();
    }
    await this.stop(ABORT_TIMINGS);
    return undefined;
  }

  /** Ends the run for `failure`, after giving the calls in flight `drainMs` to finish. */
  async retire(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    const { live } = this;
    if (this.isServing && live !== undefined)
      await waitAtMost(drainMs, live.calls.whenIdle(), this.components.clock);
    await this.end(failure, timings);
  }

  /** Ends the run for `failure`: every pending call is told, then the processes are stopped. */
  async end(failure: RunFailure, timings: StopTimings): Promise<void> {
    this.fail(failure);
    await this.stop(timings);
  }

  /** Resolves when no process of this run is left. */
  stop(timings: StopTimings): Promise<void> {
    return this.launch.stop(timings);
  }

  /** Another run serves now: requests and notifications that this run still sends are dropped. */
  mute(): void {
    this.init.inbox.close();
  }

  private async bringUp(): Promise<RunReady | undefined> {
    const { components, init } = this;
    const endpoint = await this.launch.inTime(this.timeLeft());
    const connection = this.connect(endpoint);
    const { clientProfile, limits, dialect } = components;
    if (!this.enter({ kind: 'starting', phase: dialect.opening.request })) return undefined;
    const profile = withoutDenied(clientProfile(init.layer), init.config.denyRequests ?? []);
    const identity = await dialect.open(connection, profile, this.timeLeft());
    if (!this.enter({ kind: 'starting', phase: 'tools/list' })) return undefined;
    init.inbox.open();
    const listings = await readLists(connection, identity.capabilities, limits, () => this.timeLeft());
    if (!this.enter({ kind: 'serving' })) return undefined;
    this.health?.begin();
    return { pid: endpoint.pid, identity, listings };
  }

  private connect(endpoint: Endpoint): Connection {
    const { inbox, server, config } = this.init;
    const { mask } = this;
    const ended = (end: ChannelEnd): void => this.channelEnded(endpoint, end);
    const stray = (line: string): void => this.stray.add(line);
    const events = { inbox, ended, stray };
    const connection = new Connection(endpoint.channel, events, { ...this.components, server, mask });
    inbox.bind(connection);
    if (this.state.kind !== 'over') this.live = connection;
    const { health } = config;
    if (health !== undefined)
      this.health = new HealthCheck(health, connection, this.components.clock, (pings) => {
        const { stderrTail } = this.launch;
        void this.end({ kind: 'unresponsive', pings, tool: health.tool, stderrTail }, ABORT_TIMINGS);
      });
    connection.open();
    return connection;
  }

  private channelEnded(endpoint: Endpoint, end: ChannelEnd): void {
    if (this.state.kind === 'over') return;
    const conclude = (): void => {
      const failure = endpoint.failureOf(end);
      if (failure !== undefined) void this.end(failure, ABORT_TIMINGS);
    };
    if (endpoint.endGraceMs === 0) return conclude();
    this.endGrace = this.components.clock.schedule(conclude, endpoint.endGraceMs);
  }

  private enter(state: State): boolean {
    if (this.state.kind === 'over') return false;
    this.state = state;
    return true;
  }

  private fail(reason: RunFailure): void {
    if (this.state.kind === 'over') return;
    this.stray.end();
    const failure = withStdout(reason, this.stray.excerpt);
    this.state = { kind: 'over', failure };
    this.endGrace?.cancel();
    this.health?.end();
    const { live } = this;
    this.live = undefined;
    live?.failAll(failure);
    this.events.failed(failure);
  }

  /** What an error that was thrown during the start says of the run. */
  private failureOf(error: unknown): RunFailure {
    const { state, startTimeoutMs: afterMs, mask } = this;
    const { stderrTail } = this.launch;
    const told = (text: string): string => escapeControls(shownStart(mask, text, MAX_PROBLEM));
    const phase = state.kind === 'starting' ? state.phase : 'launch';
    if (!(error instanceof OwnRequestError)) return { kind: 'not-launched', problem: told(messageOf(error)) };
    const { failure, timedOut, message } = error;
    if (failure?.kind === 'undelivered') return { ...failure, kind: 'unreachable' };
    if (timedOut) return { kind: 'start-timeout', phase, afterMs, stderrTail };
    return { kind: 'bad-answer', phase, problem: told(message), stderrTail };
  }

  private get startTimeoutMs(): number {
    return this.init.config.startTimeoutMs ?? this.components.limits.startTimeoutMs;
  }

  private timeLeft(): number {
    return Math.max(0, this.deadline - this.components.clock.now());
  }
}
