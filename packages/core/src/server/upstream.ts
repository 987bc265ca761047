import type { TextMask } from '@mcpmux/kit';
import type { StopTimings } from '../process/stop-ladder.js';
import type { EraVerdict } from './config/era-verdicts.js';
import { isUnusable } from './config/server-config.js';
import type { EraClient } from './dialect/second-era.js';
import type { Connection } from './link/connection.js';
import type { RunFailure } from './link/run-failure.js';
import { LISTS, type ListKind } from './lists/list-kind.js';
import type { Registration } from './lists/registration.js';
import type { ServerLists } from './lists/server-lists.js';
import { FailedSwap } from './failed-swap.js';
import { Offer } from './offer.js';
import type { HealthReport } from './run/health-check.js';
import type { PreferredOpening, RunStartResult } from './run/run-contract.js';
import type { ServerRun } from './run/server-run.js';
import { RegisteredServer } from './registered-server.js';
import { Runs } from './runs.js';
import { SecondRun } from './second-run.js';
import { UndeclaredKinds } from './undeclared-kinds.js';
import type { UpstreamComponents } from './run/run-components.js';
import type { ServerOwner } from './run/server-report.js';
import { upstreamTransition, type UpstreamEvent, type UpstreamState } from './upstream-state.js';

/** One registered server, with its state and its runs. A reload keeps this object. */
export class Upstream extends RegisteredServer<Upstream> {
  state: UpstreamState;
  /** True if the lists are valid: the server ran or was idle before, or has the lists of another run. */
  hasRunBefore = false;
  /** The identity sent by the run that was initialized last. */
  identity: RunStartResult['identity'] | undefined;
  confinedBy: RunStartResult['confinedBy'];
  readonly offer: Offer;
  private readonly runs: Runs<Upstream>;
  /** The run for clients of the other era, if the server needs two runs. */
  readonly secondRun: SecondRun;
  /** The handshake with which the next run should open, if the server was restarted for its first client. */
  preferredOpening: PreferredOpening | undefined;
  readonly undeclaredKinds: UndeclaredKinds;
  private readonly failedSwap: FailedSwap;

  constructor(
    registration: Registration<Upstream>,
    private readonly components: UpstreamComponents<Upstream>,
    private readonly owner: ServerOwner<Upstream>,
  ) {
    super(registration, components.environment);
    const { config, remembered } = registration;
    this.hasRunBefore = remembered !== undefined;
    if (remembered?.protocol !== undefined) components.verdicts.restore(config, remembered.protocol);
    this.state = { kind: 'starting', generation: 0, since: components.clock.now() };
    this.offer = new Offer(registration, components, (report) => owner.observe(this, report));
    this.failedSwap = new FailedSwap(this.name, components.logger);
    this.runs = this.createRuns();
    this.undeclaredKinds = new UndeclaredKinds(this.runs, config.denyRequests);
    this.secondRun = new SecondRun(this, components, this.runs, () =>
      owner.observe(this, { kind: 'second-began' }),
    );
  }

  /** The connection for tool calls. Undefined unless the server is running. */
  get connection(): Connection | undefined {
    return this.state.kind === 'running' ? this.runs.current?.connection : undefined;
  }

  /** The connections of all runs that receive calls. */
  get connections(): readonly Connection[] {
    return [this.connection, this.secondRun.connection].filter((connection) => connection !== undefined);
  }

  /** Returns the connection for a client's requests. Undefined unless the server is running. */
  connectionFor(client: EraClient): Connection | undefined {
    const { connection } = this;
    return connection && (this.secondRun.connectionFor(client) ?? connection);
  }

  /** The lists of the last successful run. They may be outdated while the server is not running. */
  get lists(): ServerLists {
    return this.offer.lists;
  }

  /** The lists before the server's own filter is applied. */
  get unfilteredLists(): ServerLists {
    return this.offer.unfilteredLists;
  }

  get tools(): ServerLists['tools'] {
    return this.offer.lists.tools;
  }

  /** Reads a list again if it may have changed without a notification. Called when a client requests the list. */
  refreshList(kind: ListKind): void {
    if (this.connection?.dialect.isStale?.(LISTS[kind].method) === true) this.runs.relist(kind);
  }

  /** Uses the lists of another run of the same server until this server's own run has read its lists. */
  recall(asListed: ServerLists): void {
    this.offer.recall(asListed);
    this.hasRunBefore = true;
  }

  /** Sentences about the problems of the server's lists and runs, and about repaired deviations from the protocol. */
  get warnings(): readonly string[] {
    const { failedSwap, secondRun, followedSandbox } = this;
    const kinds = [this.undeclaredKinds, secondRun.undeclaredKinds];
    const runWarnings = [failedSwap, secondRun, ...kinds, followedSandbox].flatMap(
      (source) => source?.warning ?? [],
    );
    return [...runWarnings, ...this.offer.warnings, ...(this.connection?.deviations.warnings ?? [])];
  }

  /** The number of times that the server has been restarted. */
  get restartCount(): number {
    return this.state.kind === 'removed' ? 0 : Math.max(0, this.state.generation - 1);
  }

  /** The era in which to open the server first, if it has proved to support only that era. */
  get verdict(): EraVerdict | undefined {
    return this.components.verdicts.getVerdict(this.config);
  }

  /** The numbers of the current run's lines and notifications that have been dropped. */
  get dropCounts(): { readonly lines: number; readonly notifications: number } {
    const { droppedLineCount = 0, droppedNotificationCount = 0 } = this.runs.current?.connection ?? {};
    return { lines: droppedLineCount, notifications: droppedNotificationCount };
  }

  /** The results of the current run's pings. Undefined without a health check, or while the server is not running. */
  get health(): HealthReport | undefined {
    return this.state.kind === 'running' ? this.runs.current?.health : undefined;
  }

  /** Starts the first run. Resolves when the run serves or has failed. See {@link state}. */
  async start(): Promise<void> {
    const generation = this.beginGeneration();
    const { config } = this;
    if (isUnusable(config)) {
      const failure = { kind: 'misconfigured', problem: config.problem } as const;
      return this.applyEvent({ kind: 'failed', generation, at: this.components.clock.now(), failure });
    }
    await this.owner.predecessorEnded;
    await this.startRun(generation);
  }

  /** Ends the current run and starts the next one with the same config. */
  async reload(drainMs: number, timings: StopTimings): Promise<undefined> {
    const generation = this.beginGeneration();
    await this.endRun({ kind: 'reloaded' }, drainMs, timings);
    await this.owner.predecessorEnded;
    await this.startRun(generation);
  }

  /**
   * Starts the next run while the current run continues to serve. Once the new run is ready, it replaces the previous
   * run, which ends when its calls have ended, or after `drainMs`. If the new run fails, nothing changes.
   *
   * @returns the failure of the new run, if it failed
   */
  async swap(drainMs: number, timings: StopTimings): Promise<RunFailure | undefined> {
    if (this.state.kind === 'removed') return { kind: 'removed' };
    const generation = this.state.generation + 1;
    const adopt = (ready: RunStartResult): void => this.adopt(ready, 'swapped', generation);
    const failure = await this.runs.swap(generation, adopt, drainMs, timings);
    if (failure !== undefined && this.failedSwap.record(failure))
      this.owner.observe(this, { kind: 'swap-failed', failure });
    return failure;
  }

  /** Ends every run once its calls have ended, or after `drainMs`. */
  endRun(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    return this.runs.retire(failure, drainMs, timings);
  }

  /** Marks the server as idle. The caller must end its run. */
  markIdle(): void {
    this.applyEvent({ kind: 'sleep', at: this.components.clock.now() });
  }

  /** Marks the server as removed. Its run may still be draining. */
  markRemoved(): void {
    this.applyEvent({ kind: 'remove' });
  }

  /** Ends the runs within the time limits for mcpmux's shutdown. */
  async shutDown(): Promise<void> {
    this.markRemoved();
    await this.runs.shutDown();
  }

  /** Begins and returns the next generation. Calls are rejected until its run serves, even while the old run drains. */
  private beginGeneration(): number {
    const generation = this.state.kind === 'removed' ? 0 : this.state.generation + 1;
    this.secondRun.end();
    if (this.state.kind !== 'starting') this.hasRunBefore = ['running', 'idle'].includes(this.state.kind);
    this.applyEvent({ kind: 'start', generation, at: this.components.clock.now() });
    return generation;
  }

  private async startRun(generation: number): Promise<void> {
    // The server may have been removed or reloaded again while the previous run was ending.
    if (this.state.kind !== 'starting' || this.state.generation !== generation) return;
    await this.runs.start(generation, (ready) => this.adopt(ready, 'ready', generation));
  }

  private adopt(ready: RunStartResult, kind: 'ready' | 'swapped', generation: number): void {
    this.secondRun.end();
    this.failedSwap.clear();
    this.undeclaredKinds.clear();
    ({ identity: this.identity, confinedBy: this.confinedBy } = ready);
    this.offer.replaceLists(ready.listings);
    this.applyEvent({ kind, generation, at: this.components.clock.now(), pid: ready.pid });
  }

  private createRuns(): Runs<Upstream> {
    const { name: server, config, layer, components, owner, followedSandbox: followed } = this;
    const preferred = (): PreferredOpening | undefined => this.preferredOpening;
    const addSecret = (value: string): TextMask => this.addSecret(value);
    const { secrets } = this.redactedCommand;
    const init = { upstream: this, server, config, layer, secrets, addSecret, preferred, followed };
    return new Runs(init, components, {
      onReport: (report) => owner.observe(this, report),
      onSessionDoubted: () => owner.onSessionDoubted(this),
      onRunFailure: (run, generation, failure) => this.handleFailure(run, generation, failure),
      relist: (run, kind, connection) => this.relist(run, kind, connection),
    });
  }

  private handleFailure(run: ServerRun, generation: number, failure: RunFailure): void {
    const isSessionLost = failure.kind === 'session-lost' && this.isRunning(run);
    // The calls in flight have already failed. The lists stay valid until the next session begins.
    if (isSessionLost && this.owner.onSessionLost(this)) return;
    if (run === this.runs.current) this.secondRun.end();
    this.applyEvent({ kind: 'failed', generation, at: this.components.clock.now(), failure });
  }

  private async relist(run: ServerRun, kind: ListKind, connection: Connection): Promise<void> {
    if (this.isRunning(run)) await this.offer.relist(kind, connection, () => this.isRunning(run));
  }

  private isRunning(run: ServerRun): boolean {
    return this.runs.current === run && this.state.kind === 'running';
  }

  private applyEvent(event: UpstreamEvent): void {
    const previousState = this.state;
    this.state = upstreamTransition(previousState, event);
    if (this.state !== previousState) this.owner.observe(this, { kind: 'state-changed' });
  }
}
