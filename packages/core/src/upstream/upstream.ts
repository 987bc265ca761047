import type { ServerName } from '@mcpmux/namespace';

import { waitAtMost, type Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import { SHUTDOWN_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import type { IdText } from '../wire/request-id.js';
import { Attempt, type AttemptComponents } from './attempt.js';
import type { ServerNotification, ServerRequest } from './call-sink.js';
import type { Connection } from './connection.js';
import type { Definition } from './definition.js';
import type { ServerIdentity } from './handshake.js';
import { LIST_KINDS, LISTS, type ListKind } from './list-kind.js';
import type { Listing } from './listing.js';
import { METHOD_NOT_FOUND, OwnRequestError } from './own-request.js';
import type { Received } from './received.js';
import type { RunFailure } from './run-failure.js';
import type { ServerConfig } from './server-config.js';
import { shownCommand, type ShownCommand } from './shown-command.js';
import { NO_LISTS, type ListWarnings, type ServerLists } from './server-lists.js';
import { NO_FINDINGS, type PinFindings, type PinReason, type ToolPins } from './tool-pins.js';
import { transition, type UpstreamEvent, type UpstreamState } from './upstream-state.js';

const NO_WARNINGS: ListWarnings = Object.freeze({
  tools: [],
  prompts: [],
  resources: [],
  resourceTemplates: [],
});

const OTHER_COMMAND = 'another command was run under this name before: its tools are others';

/** What the owner of an {@link Upstream} is told. */
export interface UpstreamEvents {
  stateChanged(upstream: Upstream): void;
  /** One of its lists is another one than before, or may be. */
  listChanged(upstream: Upstream, kind: ListKind): void;
  /** It sent a notification that is no `list_changed`. */
  notification(received: Received<ServerNotification>): void;
  /** It asks a client for something; also while it is starting. */
  request(received: Received<ServerRequest>, id: IdText): void;
  stderrLine(upstream: Upstream, line: string): void;
  /** Tools are not as they were approved. */
  unpinned(upstream: Upstream, findings: PinFindings): void;
  /** A process was started for it. */
  spawned(upstream: Upstream, pid: number): void;
}

/** What an {@link Upstream} works with. */
export interface UpstreamComponents extends AttemptComponents {
  /** What the tools of all servers were when they were approved. */
  readonly pins: ToolPins;
  /** Numbers the runs of all servers of one mux. */
  readonly nextRunId: () => number;
}

/** One registered server: its configuration, its state, its current run. It keeps its place through reloads. */
export class Upstream {
  state: UpstreamState;
  /** Set while a start follows a run that was serving: until its outcome is known, what that run offered still counts. */
  ranBefore = false;
  /** What the last run that listed anything offers. Stale while the server is not running. */
  lists: ServerLists = NO_LISTS;
  /** Whether and when it starts again by itself, in half a sentence; while it is crashed and restarts are on. */
  restartNote: string | undefined;
  /** What the run before offered. */
  listsBefore: ServerLists = NO_LISTS;
  /** What the last run that was initialized said of itself. */
  identity: ServerIdentity | undefined;
  /** Its command without secrets. */
  readonly shown: ShownCommand;
  /** Tools of the current run that are not as they were approved. */
  unpinned: PinFindings = NO_FINDINGS;
  private listWarnings: ListWarnings = NO_WARNINGS;
  private attempt: Attempt | undefined;
  /** Resolves when the first run may begin: a server of the same name may still be coming down. */
  private turn: Promise<void> = Promise.resolve();
  /** Resolves when the current run has started, or has failed to. */
  private starting: Promise<unknown> = Promise.resolve();
  private readonly refreshes = new Map<ListKind, { again: boolean; readonly attempt: Attempt }>();

  constructor(
    readonly name: ServerName,
    readonly config: ServerConfig,
    private readonly components: UpstreamComponents,
    private readonly events: UpstreamEvents,
  ) {
    this.state = { kind: 'starting', generation: 0, since: components.clock.now() };
    this.shown = shownCommand(config, components.environment);
  }

  /** The connection to call tools on; undefined unless the server is running. */
  get connection(): Connection | undefined {
    return this.state.kind === 'running' ? this.attempt?.live : undefined;
  }

  get tools(): readonly Definition[] {
    return this.lists.tools;
  }

  /** Why this tool of it cannot be used until it is approved; `undefined` when it can. */
  blocked(tool: string): PinReason | undefined {
    return this.components.pins.mode === 'block' ? this.unpinned.get(tool) : undefined;
  }

  /** What it lists now is what its tools are to be from now on. */
  approveTools(): void {
    this.components.pins.approve(this.name, this.config, this.tools);
    this.unpinned = NO_FINDINGS;
    this.events.listChanged(this, 'tools');
  }

  /** What is wrong with its lists, in sentences. */
  get warnings(): readonly string[] {
    const ofLists = LIST_KINDS.flatMap((kind) => this.listWarnings[kind]);
    return this.runsOtherCommand ? [...ofLists, OTHER_COMMAND] : ofLists;
  }

  /** How many times the server was started again. */
  get restarts(): number {
    return this.state.kind === 'removed' ? 0 : Math.max(0, this.state.generation - 1);
  }

  /** Lines of the current run that were dropped. */
  get dropped(): number {
    return this.attempt?.live?.dropped ?? 0;
  }

  /**
   * Starts the first generation, once `after` has resolved. Resolves when it runs, or has failed: see {@link state}.
   */
  async start(after: Promise<void> = Promise.resolve()): Promise<void> {
    this.turn = after;
    const generation = this.begin();
    await after;
    await this.run(generation);
  }

  /** Ends the current run and starts the next generation from the same configuration. */
  async reload(drainMs: number, timings: StopTimings): Promise<void> {
    const generation = this.begin();
    await this.endRun({ kind: 'reloaded' }, drainMs, timings);
    await this.turn;
    await this.run(generation);
  }

  /** Ends the current run, after giving its calls `drainMs` to finish. */
  async endRun(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    const { attempt } = this;
    if (attempt === undefined) return;
    await drained(attempt, drainMs, this.components.clock);
    await attempt.end(failure, timings);
  }

  /** From now on the server counts as removed; its run may still be draining. */
  markRemoved(): void {
    this.apply({ kind: 'remove' });
  }

  /** Ends the run as fast as mcpmux's own end demands. */
  async shutDown(): Promise<void> {
    this.markRemoved();
    await this.attempt?.end({ kind: 'shut-down' }, SHUTDOWN_TIMINGS);
  }

  /** Calls are refused from here on: the next generation is on its way, even while the last one still drains. */
  private begin(): number {
    const generation = this.state.kind === 'removed' ? 0 : this.state.generation + 1;
    if (this.state.kind !== 'starting') this.ranBefore = this.state.kind === 'running';
    this.apply({ kind: 'start', generation, at: this.now() });
    return generation;
  }

  private async run(generation: number): Promise<void> {
    // Removed, or reloaded again, while the run before was coming to its end.
    if (this.state.kind !== 'starting' || this.state.generation !== generation) return;
    const attempt = this.newAttempt(generation);
    this.attempt = attempt;
    const starting = attempt.start();
    this.starting = starting;
    const started = await starting;
    if (started === undefined || this.attempt !== attempt) return;
    this.identity = started.identity;
    this.listsBefore = this.lists;
    this.unpinned = NO_FINDINGS;
    for (const kind of LIST_KINDS) this.accept(kind, started.listings[kind]);
    this.apply({ kind: 'ready', generation, at: this.now(), pid: started.pid });
  }

  private newAttempt(generation: number): Attempt {
    const attempt = new Attempt(
      {
        server: this.name,
        config: this.config,
        secrets: this.shown.secrets,
        runId: this.components.nextRunId(),
      },
      this.components,
      {
        notification: (connection, line, message) => this.notified(attempt, connection, line, message),
        request: (connection, line, message, id) => {
          if (this.attempt === attempt)
            this.events.request({ upstream: this, connection, line, message }, id);
        },
        stderrLine: (line) => this.events.stderrLine(this, line),
        spawned: (pid) => this.events.spawned(this, pid),
        failed: (failure) => this.apply({ kind: 'failed', generation, at: this.now(), failure }),
      },
    );
    return attempt;
  }

  private notified(
    attempt: Attempt,
    connection: Connection,
    line: Buffer,
    message: ServerNotification,
  ): void {
    if (this.attempt !== attempt) return;
    const changed = LIST_KINDS.filter((kind) => LISTS[kind].changed === message.method);
    for (const kind of changed) void this.relist(attempt, kind);
    if (changed.length === 0) this.events.notification({ upstream: this, connection, line, message });
  }

  private accept(kind: ListKind, { items, warnings }: Listing): void {
    this.lists = { ...this.lists, [kind]: items };
    this.listWarnings = { ...this.listWarnings, [kind]: warnings };
    if (kind === 'tools') this.comparePins(items);
    for (const warning of warnings) {
      this.components.logger.log('warn', warning, { server: this.name });
    }
  }

  private get runsOtherCommand(): boolean {
    return [...this.unpinned.values()].includes('command');
  }

  private comparePins(tools: readonly Definition[]): void {
    const { pins } = this.components;
    const findings = pins.check(this.name, this.config, tools);
    // In mode warn a change is found once, and stands there until the next run.
    const isBlocking = pins.mode === 'block';
    const isNews = [...findings].some(([tool, reason]) => !isBlocking || this.unpinned.get(tool) !== reason);
    this.unpinned = isBlocking ? findings : new Map([...this.unpinned, ...findings]);
    if (isNews) this.events.unpinned(this, findings);
  }

  /** Each list is read by one reader at a time; changes announced meanwhile cause one more reading. */
  private async relist(attempt: Attempt, kind: ListKind): Promise<void> {
    const running = this.refreshes.get(kind);
    if (running?.attempt === attempt) {
      running.again = true;
      return;
    }
    const refresh = { again: true, attempt };
    this.refreshes.set(kind, refresh);
    while (refresh.again && this.attempt === attempt) {
      refresh.again = false;
      await this.relistOnce(attempt, kind);
    }
    if (this.refreshes.get(kind) === refresh) this.refreshes.delete(kind);
  }

  private async relistOnce(attempt: Attempt, kind: ListKind): Promise<void> {
    try {
      // A change that is announced before the first list is complete may be one that the list does not hold.
      await this.starting;
      if (!this.isRunning(attempt)) return;
      const listing = await attempt.list(kind);
      if (!this.isRunning(attempt)) return;
      this.accept(kind, listing);
      this.events.listChanged(this, kind);
    } catch (error) {
      if (error instanceof OwnRequestError && error.code === METHOD_NOT_FOUND) return;
      // The old list stays in use; the server's next announcement tries again.
      this.components.logger.log('warn', `could not list the ${LISTS[kind].noun}s again`, {
        server: this.name,
        problem: messageOf(error),
      });
    }
  }

  private isRunning(attempt: Attempt): boolean {
    return this.attempt === attempt && this.state.kind === 'running';
  }

  private apply(event: UpstreamEvent): void {
    const before = this.state;
    this.state = transition(before, event);
    if (this.state === before) return;
    this.events.stateChanged(this);
  }

  private now(): number {
    return this.components.clock.now();
  }
}

/** Resolves when no call of the run is in flight any more, or when its time is over. */
async function drained(attempt: Attempt, drainMs: number, clock: Clock): Promise<void> {
  if (attempt.isServing && attempt.live !== undefined)
    await waitAtMost(drainMs, attempt.live.whenIdle(), clock);
}
