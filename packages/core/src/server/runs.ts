import { ABORT_TIMINGS, SHUTDOWN_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import type { Connection } from './link/connection.js';
import type { RunFailure } from './link/run-failure.js';
import type { ListKind } from './lists/list-kind.js';
import { Relister } from './lists/relister.js';
import { RunInbox } from './run/run-inbox.js';
import type { RunStartResult, SecondEra, ServerRunEvents, ServerRunInit } from './run/run-contract.js';
import { ServerRun } from './run/server-run.js';
import type { UpstreamComponents } from './run/run-components.js';

/** The parameters of {@link Runs}. */
export interface RunsInit<Server> extends ServerRunInit {
  readonly upstream: Server;
}

/** Handles the events of one server's runs. */
export interface RunsOwner extends Omit<ServerRunEvents, 'onFailure'> {
  onRunFailure(run: ServerRun, generation: number, failure: RunFailure): void;
  /** Reads a list again after the run with this connection has announced a change. Must not reject. */
  relist(run: ServerRun, kind: ListKind, connection: Connection): Promise<void>;
}

/** The era of a second run, and the handlers of its events. */
export interface SecondRunInit extends SecondEra {
  readonly onReady: (run: ServerRun, ready: RunStartResult) => void;
  /** Called when the run ends or fails to start. */
  readonly onFailure: (failure: RunFailure) => void;
}

/** Adopts the lists and identity of a run that has started. Called when the run begins to receive calls. */
export type AdoptRun = (ready: RunStartResult) => void;

/** The runs of one server: the current run, the other run of a swap, and the run for clients of the other era. */
export class Runs<Server> {
  /** The run that receives calls. Only this class sets it. */
  current: ServerRun | undefined;
  /** The other runs: the run for the other era and, during a swap, the starting or the ending run. */
  private readonly otherRuns = new Set<ServerRun>();
  private readonly relisters = new WeakMap<ServerRun, Relister>();

  constructor(
    private readonly init: RunsInit<Server>,
    private readonly components: UpstreamComponents<Server>,
    private readonly owner: RunsOwner,
  ) {}

  /** Reads one of the current run's lists again. Called for a list that may have changed without a notification. */
  relist(kind: ListKind): void {
    if (this.current !== undefined) this.relisters.get(this.current)?.scheduleRefresh(kind);
  }

  /** Starts a run as the current run. Resolves when the run serves or has failed. */
  async start(generation: number, adopt: AdoptRun): Promise<void> {
    const { run, settled } = this.beginRun(
      (ready) => {
        if (this.current === run) adopt(ready);
      },
      (failure) => this.owner.onRunFailure(run, generation, failure),
    );
    this.current?.mute();
    this.current = run;
    await settled;
  }

  /**
   * Starts a run while the current run continues. Once the new run is ready, it becomes the current run, and the
   * previous run is retired.
   *
   * @returns the failure of the new run if it failed, in which case the previous run continues
   */
  async swap(
    generation: number,
    adopt: AdoptRun,
    drainMs: number,
    timings: StopTimings,
  ): Promise<RunFailure | undefined> {
    const { current: before } = this;
    const { run, settled } = this.beginRun(
      (ready) => {
        // The run may have ended in the moment in which it became ready.
        if (!run.isServing) return;
        this.current = run;
        this.otherRuns.delete(run);
        if (before !== undefined) this.otherRuns.add(before);
        adopt(ready);
      },
      (failure) => this.owner.onRunFailure(run, generation, failure),
    );
    this.otherRuns.add(run);
    await settled;
    const hasTakenOver = !this.otherRuns.delete(run);
    const replacedRun = hasTakenOver ? before : run;
    if (hasTakenOver) await before?.retire({ kind: 'reloaded' }, drainMs, timings);
    if (replacedRun !== undefined) this.otherRuns.delete(replacedRun);
    replacedRun?.mute();
    return hasTakenOver ? undefined : (run.failure ?? { kind: 'removed' });
  }

  /**
   * Starts a run for clients of one era, in addition to the current run. Resolves when the run serves or has failed.
   */
  async open({ onReady, onFailure, ...second }: SecondRunInit): Promise<void> {
    const handleFailure = async (failure: RunFailure): Promise<void> => {
      onFailure(failure);
      await run.stop(ABORT_TIMINGS);
      this.otherRuns.delete(run);
    };
    const { run, settled } = this.beginRun(
      (found) => onReady(run, found),
      (failure) => void handleFailure(failure),
      second,
    );
    this.otherRuns.add(run);
    await settled;
  }

  /** Ends a run that is not the current one and is no longer needed. */
  async close(run: ServerRun, drainMs: number, timings: StopTimings): Promise<void> {
    await run.retire({ kind: 'reloaded' }, drainMs, timings);
    run.mute();
    this.otherRuns.delete(run);
  }

  /** Ends every run once its calls have ended, or after `drainMs`. */
  async retire(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    await Promise.all(this.allRuns.map((run) => run.retire(failure, drainMs, timings)));
  }

  /** Ends all runs within the time limits for mcpmux's shutdown. */
  async shutDown(): Promise<void> {
    await Promise.all(this.allRuns.map((run) => run.end({ kind: 'shut-down' }, SHUTDOWN_TIMINGS)));
  }

  private get allRuns(): readonly ServerRun[] {
    return this.current === undefined ? [...this.otherRuns] : [this.current, ...this.otherRuns];
  }

  /** Starts a run. `settled` resolves when the run has been adopted or has failed. */
  private beginRun(
    adopt: AdoptRun,
    failed: (failure: RunFailure) => void,
    secondEra?: SecondEra,
  ): { run: ServerRun; settled: Promise<void> } {
    const { init, components, owner } = this;
    const { upstream } = init;
    const relister = new Relister(components.clock, async (kind) => {
      // A change announced while the first list was being read may be missing from that list.
      await settled;
      if (run.connection !== undefined) await owner.relist(run, kind, run.connection);
    });
    const onListChanged = (kind: ListKind): void => relister.scheduleRefresh(kind);
    const inbox = new RunInbox({ upstream, inbox: components.inbox, onListChanged });
    const runId = components.nextRunId();
    const run: ServerRun = new ServerRun(init, { inbox, runId, secondEra }, components, {
      onReport: owner.onReport,
      onSessionDoubted: owner.onSessionDoubted,
      onFailure: (failure) => {
        relister.end();
        failed(failure);
      },
    });
    this.relisters.set(run, relister);
    const settled = run.start().then((ready) => {
      if (ready !== undefined) adopt(ready);
    });
    return { run, settled };
  }
}
