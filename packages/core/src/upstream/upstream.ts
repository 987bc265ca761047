import type { ServerName } from '@mcpmux/namespace';

import { waitAtMost, type Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import { SHUTDOWN_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import { Attempt, type AttemptComponents } from './attempt.js';
import type { Connection } from './connection.js';
import type { RunFailure } from './run-failure.js';
import type { ServerConfig } from './server-config.js';
import type { ToolDefinition } from './tool-definition.js';
import type { ToolListing } from './tool-listing.js';
import { transition, type UpstreamEvent, type UpstreamState } from './upstream-state.js';

/** What the owner of an {@link Upstream} is told. */
export interface UpstreamEvents {
  stateChanged(upstream: Upstream): void;
  /** The tools are other ones than before, or may be. */
  toolsChanged(upstream: Upstream): void;
  stderrLine(upstream: Upstream, line: string): void;
}

/** What an {@link Upstream} works with. */
export interface UpstreamComponents extends AttemptComponents {
  /** Numbers the runs of all servers of one mux. */
  readonly nextRunId: () => number;
}

/** One registered server: its configuration, its state, its current run. It keeps its place through reloads. */
export class Upstream {
  state: UpstreamState;
  /** The tools of the last run that listed any. Stale while the server is not running. */
  tools: readonly ToolDefinition[] = [];
  warnings: readonly string[] = [];
  instructions: string | undefined;
  private attempt: Attempt | undefined;
  /** Resolves when the first run may begin: a server of the same name may still be coming down. */
  private turn: Promise<void> = Promise.resolve();
  /** Resolves when the current run has started, or has failed to. */
  private starting: Promise<unknown> = Promise.resolve();
  private refresh: { again: boolean } | undefined;

  constructor(
    readonly name: ServerName,
    readonly config: ServerConfig,
    private readonly components: UpstreamComponents,
    private readonly events: UpstreamEvents,
  ) {
    this.state = { kind: 'starting', generation: 0, since: components.clock.now() };
  }

  /** The connection to call tools on; undefined unless the server is running. */
  get connection(): Connection | undefined {
    return this.state.kind === 'running' ? this.attempt?.live : undefined;
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
    this.instructions = started.identity.instructions;
    this.accept(started.listing);
    this.apply({ kind: 'ready', generation, at: this.now(), pid: started.pid });
  }

  private newAttempt(generation: number): Attempt {
    const attempt = new Attempt(
      { server: this.name, config: this.config, runId: this.components.nextRunId() },
      this.components,
      {
        notification: (method) => {
          if (method === 'notifications/tools/list_changed' && this.attempt === attempt)
            void this.relist(attempt);
        },
        stderrLine: (line) => this.events.stderrLine(this, line),
        failed: (failure) => this.apply({ kind: 'failed', generation, at: this.now(), failure }),
      },
    );
    return attempt;
  }

  private accept({ tools, warnings }: ToolListing): void {
    this.tools = tools;
    this.warnings = warnings;
    for (const warning of warnings) {
      this.components.logger.log('warn', warning, { server: this.name });
    }
  }

  /** One list at a time; changes announced meanwhile cause one more. */
  private async relist(attempt: Attempt): Promise<void> {
    if (this.refresh !== undefined) {
      this.refresh.again = true;
      return;
    }
    const refresh = { again: true };
    this.refresh = refresh;
    while (refresh.again && this.attempt === attempt) {
      refresh.again = false;
      await this.relistOnce(attempt);
    }
    this.refresh = undefined;
  }

  private async relistOnce(attempt: Attempt): Promise<void> {
    try {
      // A change that is announced before the first list is complete may be one that the list does not hold.
      await this.starting;
      if (!this.isRunning(attempt)) return;
      const listing = await attempt.listTools();
      if (!this.isRunning(attempt)) return;
      this.accept(listing);
      this.events.toolsChanged(this);
    } catch (error) {
      // The old list stays in use; the server's next announcement tries again.
      this.components.logger.log('warn', 'could not list the tools again', {
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
