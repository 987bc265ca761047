import type { ServerName } from '@mcpmux/namespace';

import { type ChannelEnd, errorLine, type RawId } from '@mcpmux/wire';
import { waitAtMost, type Timer } from '../../base/clock.js';
import { Redactor } from '../../redact/redactor.js';
import { ABORT_TIMINGS, type StopTimings } from '../../process/stop-ladder.js';
import type { AttemptComponents } from './attempt-components.js';
import type { ServerNotification, ServerRequest } from '../link/pending-call.js';
import { withoutDenied } from '../config/client-request-permission.js';
import { secretsOfConfig } from '../config/config-secrets.js';
import { Connection } from '../link/connection.js';
import { PreInitBuffer, TOO_EARLY } from '../link/pre-init-buffer.js';
import { HealthCheck } from './health-check.js';
import { initialize, type ServerIdentity } from './handshake.js';
import { launchProcess } from './launch-process.js';
import { launchStreams } from './launch-streams.js';
import { LISTS, type ListKind } from '../lists/list-kind.js';
import { EMPTY_LISTING, readList, type Listing } from '../lists/listing.js';
import { OwnRequestError } from '../link/own-request.js';
import type { Endpoint } from './endpoint.js';
import type { RunFailure, StartPhase } from '../link/run-failure.js';
import {
  isRemote,
  isStreams,
  type AnyServerConfig,
  type ProcessConfig,
  type RemoteConfig,
  type StreamConfig,
} from '../config/server-config.js';
import { startFailure } from './start-failure.js';
import { readLists, type Listings } from '../lists/server-lists.js';

/** A starting server may keep its spawn slot for this long; a slow one must not keep the others waiting. */
const SPAWN_SLOT_MS = 1000;

/** Which server an {@link Attempt} runs. */
export interface AttemptInit {
  readonly server: ServerName;
  readonly config: AnyServerConfig;
  /** Besides those of its `env` or headers: what of its arguments nobody should read. */
  readonly secrets: readonly string[];
  /** Unique among all runs of this mux. */
  readonly runId: number;
}

/** What the owner of an {@link Attempt} is told. */
export interface AttemptEvents {
  notification(connection: Connection, line: Buffer, notification: ServerNotification): void;
  request(connection: Connection, line: Buffer, request: ServerRequest, id: RawId): void;
  stderrLine(line: string): void;
  /** Its process is there. */
  spawned(pid: number): void;
  /** The run has ended, or never began. At most once. */
  failed(failure: RunFailure): void;
}

/** What a successful start has found out. */
export interface Started {
  /** Null for a server at a url. */
  readonly pid: number | null;
  readonly identity: ServerIdentity;
  readonly listings: Listings;
}

type AttemptState =
  | { readonly kind: 'new' }
  | { readonly kind: 'active'; readonly phase: StartPhase | 'running' }
  | { readonly kind: 'over'; readonly failure: RunFailure };

/**
 * One run of one server: spawn, initialize, list, serve, stop. Single use: a reload makes a new one, so nothing that
 * an old process still does can reach its successor.
 */
export class Attempt {
  private state: AttemptState = { kind: 'new' };
  private peer: Endpoint | undefined;
  private spawning: Promise<Endpoint | undefined> | undefined;
  private connection: Connection | undefined;
  private deadline = 0;
  private endGrace: Timer | undefined;
  private health: HealthCheck | undefined;
  private releaseSlot: () => void = () => undefined;
  private readonly redact: (text: string) => string;
  private readonly early = new PreInitBuffer();

  constructor(
    private readonly init: AttemptInit,
    private readonly components: AttemptComponents,
    private readonly events: AttemptEvents,
  ) {
    const redactor = new Redactor([...secretsOfConfig(init.config), ...init.secrets]);
    this.redact = (text) => redactor.redact(text);
  }

  /** The live connection; undefined before the spawn and after the end. */
  get live(): Connection | undefined {
    return this.state.kind === 'active' ? this.connection : undefined;
  }

  /** True while clients' calls can be in flight. */
  get isServing(): boolean {
    return this.state.kind === 'active' && this.state.phase === 'running';
  }

  /** Resolves when none of its calls is in flight any more, or after `ms`. */
  async drained(ms: number): Promise<void> {
    const { live } = this;
    if (this.isServing && live !== undefined) await waitAtMost(ms, live.whenIdle(), this.components.clock);
  }

  /**
   * Starts the server. Resolves to undefined when the run failed meanwhile: `events.failed` has been told why, and no
   * process of it is left.
   */
  async start(): Promise<Started | undefined> {
    if (this.state.kind !== 'new') throw new Error('a run is started once');
    this.enter('launch');
    this.deadline = this.components.clock.now() + this.startTimeoutMs;
    try {
      const started = await this.run();
      if (started !== undefined) return started;
    } catch (error) {
      this.fail(this.failureOf(error));
    } finally {
      this.releaseSlot();
    }
    await this.stop(ABORT_TIMINGS);
    return undefined;
  }

  /** Reads a list again, for a server that said it has changed. Rejects with OwnRequestError. */
  async list(kind: ListKind): Promise<Listing> {
    const { connection, components } = this;
    if (connection === undefined) return EMPTY_LISTING;
    return readList(connection, LISTS[kind], components.limits, () => components.limits.listTimeoutMs);
  }

  /** Ends the run for `failure`: every pending call is told, then the processes are stopped. */
  async end(failure: RunFailure, timings: StopTimings): Promise<void> {
    this.fail(failure);
    await this.stop(timings);
  }

  /** Resolves when no process of this run is left. */
  async stop(timings: StopTimings): Promise<void> {
    // Spawned at this very moment, a process is there before it is in our hands.
    const peer = this.peer ?? (await this.spawning);
    await peer?.stop(timings);
  }

  private async run(): Promise<Started | undefined> {
    const { components } = this;
    const peer = await this.launchInTime();
    const connection = this.connect(peer);
    if (!this.enter('initialize')) return undefined;
    const { clientInfo, clientProfile, limits } = components;
    const profile = withoutDenied(clientProfile(), this.init.config.denyRequests ?? []);
    const identity = await initialize(connection, clientInfo, profile, this.timeLeft());
    if (!this.enter('tools/list')) return undefined;
    this.early.release();
    const listings = await readLists(connection, identity.capabilities, limits, () => this.timeLeft());
    if (!this.enter('running')) return undefined;
    this.health?.begin();
    return { pid: peer.pid, identity, listings };
  }

  /** A launch can hang as well: on a dead file system, in a sandbox. What it brings too late is ended. */
  private async launchInTime(): Promise<Endpoint> {
    const { config } = this.init;
    const launching = this.launch(config);
    if (await waitAtMost(this.timeLeft(), launching, this.components.clock)) return launching;
    this.spawning = undefined;
    void launching.then((peer) => peer.stop(ABORT_TIMINGS)).catch(() => undefined);
    throw new OwnRequestError('the process was not there in time', true);
  }

  private launch(config: AnyServerConfig): Promise<Endpoint> {
    if (isStreams(config)) return this.launchStreams(config);
    return isRemote(config) ? this.launchRemote(config) : this.launchProcess(config);
  }

  private async launchStreams(config: StreamConfig): Promise<Endpoint> {
    this.peer = await launchStreams(config, this.components);
    return this.peer;
  }

  private async launchRemote(config: RemoteConfig): Promise<Endpoint> {
    // Nobody without servers at urls pays for HTTP.
    const { launchRemote } = await import('./launch-remote.js');
    this.peer = await launchRemote(config, this.components, {
      server: this.init.server,
      redact: this.redact,
      fail: (id, failure) => this.connection?.fail(id, failure),
    });
    return this.peer;
  }

  private async launchProcess(config: ProcessConfig): Promise<Endpoint> {
    const { components } = this;
    const { server, runId } = this.init;
    const peer = await launchProcess(config, components, {
      marker: `${components.instanceId}:${runId}`,
      redact: this.redact,
      turn: () => this.takeSlot(),
      onStderrLine: (line) => this.events.stderrLine(line),
      onExit: (exit) => {
        components.logger.log('info', 'a server process has exited', { server, run: runId, ...exit });
        this.fail({ kind: 'exited', exit, stderrTail: this.stderrTail() });
      },
      spawning: (spawned) => {
        this.spawning = spawned.catch(() => undefined);
      },
    });
    components.logger.log('info', 'started a server process', { server, pid: peer.pid, run: runId });
    this.peer = peer;
    this.events.spawned(peer.pid);
    return peer;
  }

  private async takeSlot(): Promise<void> {
    const release = await this.components.spawnLimiter.acquire();
    const timer = this.components.clock.schedule(release, SPAWN_SLOT_MS);
    this.releaseSlot = () => {
      timer.cancel();
      release();
    };
    // Removed while it waited for its turn: nothing was spawned, so there is nothing to stop.
    if (this.state.kind === 'over') throw new Error('the run ended before its process was spawned');
  }

  private connect(peer: Endpoint): Connection {
    const connection: Connection = new Connection(
      peer.channel,
      {
        notification: (line, message) =>
          this.early.tell(() => this.events.notification(connection, line, message)),
        request: (line, message, id) => {
          if (this.early.isOver) this.events.request(connection, line, message, id);
          else connection.send(errorLine(id, TOO_EARLY));
        },
        ended: (end) => this.channelEnded(peer, end),
      },
      { ...this.components, server: this.init.server },
    );
    this.connection = connection;
    this.health = this.newHealthCheck(connection);
    connection.open();
    return connection;
  }

  private newHealthCheck(connection: Connection): HealthCheck | undefined {
    const { health } = this.init.config;
    if (health === undefined) return undefined;
    return new HealthCheck(health, connection, this.components.clock, (pings) => {
      const { tool } = health;
      void this.end({ kind: 'unresponsive', pings, tool, stderrTail: this.stderrTail() }, ABORT_TIMINGS);
    });
  }

  private channelEnded(peer: Endpoint, end: ChannelEnd): void {
    if (this.state.kind === 'over') return;
    const conclude = (): void => {
      const failure = peer.failureOf(end);
      if (failure !== undefined) void this.end(failure, ABORT_TIMINGS);
    };
    if (peer.endGraceMs === 0) return conclude();
    this.endGrace = this.components.clock.schedule(conclude, peer.endGraceMs);
  }

  private enter(phase: StartPhase | 'running'): boolean {
    if (this.state.kind === 'over') return false;
    this.state = { kind: 'active', phase };
    return true;
  }

  private fail(failure: RunFailure): void {
    if (this.state.kind === 'over') return;
    this.state = { kind: 'over', failure };
    this.endGrace?.cancel();
    this.health?.end();
    this.connection?.failAll(failure);
    this.events.failed(failure);
  }

  private failureOf(error: unknown): RunFailure {
    const { state, startTimeoutMs } = this;
    const phase = state.kind === 'active' && state.phase !== 'running' ? state.phase : 'launch';
    return startFailure(error, { phase, startTimeoutMs, stderrTail: this.stderrTail(), redact: this.redact });
  }

  private get startTimeoutMs(): number {
    return this.init.config.startTimeoutMs ?? this.components.limits.startTimeoutMs;
  }

  private timeLeft(): number {
    return Math.max(0, this.deadline - this.components.clock.now());
  }

  private stderrTail(): readonly string[] {
    return this.peer?.stderrTail ?? [];
  }
}
