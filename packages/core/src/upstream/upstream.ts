import type { ServerName } from '@mcpmux/namespace';

import { messageOf } from '../base/errors.js';
import { SHUTDOWN_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import { Attempt, type Started } from './run/attempt.js';
import type { ServerNotification } from './link/pending-call.js';
import type { Connection } from './link/connection.js';
import type { ServerIdentity } from './run/handshake.js';
import { LIST_KINDS, LISTS, type ListKind } from './lists/list-kind.js';
import type { Listing } from './lists/listing.js';
import { METHOD_NOT_FOUND, OwnRequestError } from './link/own-request.js';
import { PinnedTools } from './lists/pinned-tools.js';
import { recalled } from './lists/remembered-lists.js';
import { Relister } from './lists/relister.js';
import type { Run } from './run/run.js';
import { report, summarize, type RunFailure } from './link/run-failure.js';
import type { Layer } from './config/layer.js';
import type { AnyServerConfig } from './config/server-config.js';
import { redactCommand, type RedactedCommand } from './config/redact-command.js';
import { NO_LIST_WARNINGS, NO_LISTS, isKnown } from './lists/server-lists.js';
import type { ListWarnings, ServerLists } from './lists/server-lists.js';
import type { Registration } from './lists/registration.js';
import { applyToolFilter, type ToolFilter } from './lists/tool-filter.js';
import type { UpstreamComponents, UpstreamEvents } from './upstream-events.js';
import { transition, type UpstreamEvent, type UpstreamState } from './upstream-state.js';

/** One registered server: its configuration, its state, its current run. It keeps its place through reloads. */
export class Upstream {
  state: UpstreamState;
  /** Set while a start follows a run that was serving: until its outcome is known, what that run offered still counts. */
  ranBefore = false;
  /** What the last run that listed anything offers. Stale while the server is not running. */
  lists: ServerLists = NO_LISTS;
  /** What the run before offered. */
  listsBefore: ServerLists = NO_LISTS;
  /** What the last run that was initialized said of itself. */
  identity: ServerIdentity | undefined;
  /** Its command without secrets. */
  readonly shown: RedactedCommand;
  readonly pinned: PinnedTools;
  private listWarnings: ListWarnings = NO_LIST_WARNINGS;
  private attempt: Attempt | undefined;
  /** Runs that live beside the current one during a swap: its successor on its way up, its predecessor on its way down. */
  private readonly beside = new Set<Attempt>();
  /** Why the last reload left everything as it was. */
  private swapWarning: string | undefined;
  /** Resolves when the first run may begin. */
  private readonly after: Promise<void>;

  readonly name: ServerName;
  readonly config: AnyServerConfig;
  /** Where it is registered: clients in this layer see it. */
  readonly scope: Layer;
  /** Where its entries stand in the merged lists. Grows with every server that is added to its layer. */
  readonly position: number;
  /** What clients see of its tools. */
  readonly view: ToolFilter | undefined;

  constructor(
    { name, config, scope, position, view, remembered, after = Promise.resolve() }: Registration,
    private readonly components: UpstreamComponents,
    private readonly events: UpstreamEvents,
  ) {
    this.name = name;
    this.config = config;
    this.scope = scope;
    this.position = position;
    this.view = view;
    this.after = after;
    this.lists = recalled(remembered, view);
    this.ranBefore = remembered !== undefined;
    this.state = { kind: 'starting', generation: 0, since: components.clock.now() };
    this.shown = redactCommand(config, components.environment);
    this.pinned = new PinnedTools({ name, scope, config }, components.pins);
  }

  /** The connection to call tools on; undefined unless the server is running. */
  get connection(): Connection | undefined {
    return this.state.kind === 'running' ? this.attempt?.live : undefined;
  }

  get tools(): ServerLists['tools'] {
    return this.lists.tools;
  }

  /** What it lists now is what its tools are to be from now on. */
  approveTools(): void {
    this.pinned.approve(this.tools);
    this.events.listChanged(this, 'tools');
  }

  /** What another run of the same server listed: that counts until a run of its own has listed anything. */
  recall(lists: ServerLists): void {
    this.lists = lists;
    this.ranBefore = true;
  }

  /** What is wrong with its lists, in sentences. */
  get warnings(): readonly string[] {
    const ofLists = LIST_KINDS.flatMap((kind) => this.listWarnings[kind]);
    const unswapped = this.swapWarning === undefined ? [] : [this.swapWarning];
    return [...unswapped, ...ofLists, ...this.pinned.warnings];
  }

  /** How many times the server was started again. */
  get restarts(): number {
    return this.state.kind === 'removed' ? 0 : Math.max(0, this.state.generation - 1);
  }

  /** Lines of the current run that were dropped. */
  get dropped(): number {
    return this.attempt?.live?.dropped ?? 0;
  }

  /** Notifications of the current run that were dropped because there were too many. */
  get droppedNotifications(): number {
    return this.attempt?.live?.droppedNotifications ?? 0;
  }

  /** Starts the first generation. Resolves when it runs, or has failed: see {@link state}. */
  async start(): Promise<void> {
    const generation = this.begin();
    await this.after;
    await this.run(generation);
  }

  /** Ends the current run and starts the next generation from the same configuration. */
  async reload(drainMs: number, timings: StopTimings): Promise<undefined> {
    const generation = this.begin();
    await this.endRun({ kind: 'reloaded' }, drainMs, timings);
    await this.after;
    await this.run(generation);
  }

  /**
   * Starts the next generation beside the current run, which goes on serving. Once it runs it takes over, and the run
   * before ends when its calls have finished, or `drainMs` later. When it fails everything stays as it was.
   *
   * @returns why it failed, if so
   */
  async swap(drainMs: number, timings: StopTimings): Promise<RunFailure | undefined> {
    const before = this.attempt;
    if (this.state.kind === 'removed') return { kind: 'removed' };
    const generation = this.state.generation + 1;
    const next = this.newRun(generation);
    this.beside.add(next.attempt);
    const started = await next.starting;
    this.beside.delete(next.attempt);
    // It may have ended in the very moment in which it was up.
    if (started === undefined || !next.attempt.isServing) return this.notSwapped(next.failure);
    this.attempt = next.attempt;
    if (before !== undefined) this.beside.add(before);
    this.adopt(started);
    this.apply({ kind: 'swapped', generation, at: this.now(), pid: started.pid });
    if (before === undefined) return undefined;
    await this.retire(before, { kind: 'reloaded' }, drainMs, timings);
    this.beside.delete(before);
    return undefined;
  }

  /** Ends the current run, after giving its calls `drainMs` to finish. */
  async endRun(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    await Promise.all(this.runs.map((attempt) => this.retire(attempt, failure, drainMs, timings)));
  }

  /** From now on the server counts as idle; its run is to be ended. */
  markIdle(): void {
    this.apply({ kind: 'sleep', at: this.now() });
  }

  /** From now on the server counts as removed; its run may still be draining. */
  markRemoved(): void {
    this.apply({ kind: 'remove' });
  }

  /** Ends the run as fast as mcpmux's own end demands. */
  async shutDown(): Promise<void> {
    this.markRemoved();
    await Promise.all(this.runs.map((attempt) => attempt.end({ kind: 'shut-down' }, SHUTDOWN_TIMINGS)));
  }

  private get runs(): readonly Attempt[] {
    return this.attempt === undefined ? [...this.beside] : [this.attempt, ...this.beside];
  }

  /** Calls are refused from here on: the next generation is on its way, even while the last one still drains. */
  private begin(): number {
    const generation = this.state.kind === 'removed' ? 0 : this.state.generation + 1;
    if (this.state.kind !== 'starting') this.ranBefore = ['running', 'idle'].includes(this.state.kind);
    this.apply({ kind: 'start', generation, at: this.now() });
    return generation;
  }

  private async run(generation: number): Promise<void> {
    // Removed, or reloaded again, while the run before was coming to its end.
    if (this.state.kind !== 'starting' || this.state.generation !== generation) return;
    const run = this.newRun(generation);
    this.attempt = run.attempt;
    const started = await run.starting;
    if (started === undefined || this.attempt !== run.attempt) return;
    this.adopt(started);
    this.apply({ kind: 'ready', generation, at: this.now(), pid: started.pid });
  }

  private adopt({ identity, listings }: Started): void {
    this.swapWarning = undefined;
    this.identity = identity;
    this.listsBefore = this.lists;
    this.pinned.reset();
    for (const kind of LIST_KINDS) this.accept(kind, applyToolFilter(kind, listings[kind], this.view));
  }

  private notSwapped(failure: RunFailure = { kind: 'removed' }): RunFailure {
    const server = this.name;
    if (failure.kind === 'removed' || failure.kind === 'shut-down') return failure;
    this.swapWarning = `the last reload failed, and the run before goes on: ${summarize(server, failure)}`;
    this.components.logger.log('error', report(server, failure), { server });
    this.events.swapFailed(this, failure);
    return failure;
  }

  private async retire(
    attempt: Attempt,
    failure: RunFailure,
    drainMs: number,
    timings: StopTimings,
  ): Promise<void> {
    await attempt.drained(drainMs);
    await attempt.end(failure, timings);
  }

  /** Begins a run of its own, which counts once it is the current one. */
  private newRun(generation: number): Run {
    const components = { ...this.components, clientProfile: () => this.components.clientProfile(this.scope) };
    const counts = (): boolean => this.attempt === attempt || this.beside.has(attempt);
    const relister = new Relister(components.clock, (kind) => this.relist(run, kind));
    const attempt: Attempt = new Attempt(
      { server: this.name, config: this.config, secrets: this.shown.secrets, runId: components.nextRunId() },
      components,
      {
        notification: (connection, line, message) => {
          if (counts()) this.notified(relister, connection, line, message);
        },
        request: (connection, line, message, id) => {
          if (counts()) this.events.request({ upstream: this, connection, line, message }, id);
        },
        stderrLine: (line) => this.events.stderrLine(this, line),
        spawned: (pid) => this.events.spawned(this, pid),
        failed: (failure) => {
          run.failure = failure;
          relister.end();
          const isLost = failure.kind === 'session-lost' && this.isRunning(attempt);
          // The calls in flight have been told. What it offers stays listed until the next session has begun.
          if (isLost && this.events.sessionLost(this)) return;
          this.apply({ kind: 'failed', generation, at: this.now(), failure });
        },
      },
    );
    // Nothing of what is told above happens before the start is on its way.
    const run: Run = { attempt, starting: attempt.start(), failure: undefined };
    return run;
  }

  private notified(
    relister: Relister,
    connection: Connection,
    line: Buffer,
    message: ServerNotification,
  ): void {
    const changed = LIST_KINDS.filter((kind) => LISTS[kind].changed === message.method);
    for (const kind of changed) relister.changed(kind);
    if (changed.length === 0) this.events.notification({ upstream: this, connection, line, message });
  }

  private accept(kind: ListKind, { items, warnings }: Listing): void {
    this.lists = { ...this.lists, [kind]: items };
    this.listWarnings = { ...this.listWarnings, [kind]: warnings };
    const findings = kind === 'tools' ? this.pinned.compare(items) : undefined;
    if (findings !== undefined) this.events.unpinned(this, findings);
    for (const warning of warnings) {
      this.components.logger.log('warn', warning, { server: this.name });
    }
  }

  private async relist({ attempt, starting }: Run, kind: ListKind): Promise<void> {
    try {
      // A change that is announced before the first list is complete may be one that the list does not hold.
      await starting;
      if (!this.isRunning(attempt)) return;
      const listing = applyToolFilter(kind, await attempt.list(kind), this.view);
      if (!this.isRunning(attempt)) return;
      if (isKnown(listing, this.lists[kind], this.listWarnings[kind])) return;
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
