import { ABORT_TIMINGS, SHUTDOWN_TIMINGS, type StopTimings } from '../process/stop-ladder.js';
import type { Connection } from './link/connection.js';
import type { RunFailure } from './link/run-failure.js';
import type { ListKind } from './lists/list-kind.js';
import { Relister } from './lists/relister.js';
import { RunInbox } from './run/run-inbox.js';
import type { RunReady, SecondEra, ServerRunEvents, ServerRunInit } from './run/run-contract.js';
import { ServerRun } from './run/server-run.js';
import type { UpstreamComponents } from './upstream-components.js';

/** The server of {@link Runs}. */
export interface RunsInit<Server> extends Omit<ServerRunInit, 'runId' | 'inbox' | 'second'> {
  readonly upstream: Server;
}

/** Decides what follows from what happens to the runs of one server. */
export interface RunsOwner extends Omit<ServerRunEvents, 'failed'> {
  failed(run: ServerRun, generation: number, failure: RunFailure): void;
  /** The run that has this connection says that a list has changed. Must not reject. */
  relist(run: ServerRun, kind: ListKind, connection: Connection): Promise<void>;
}

/** A run for the clients of one era. */
export interface SecondInit extends SecondEra {
  readonly ready: (run: ServerRun, ready: RunReady) => void;
  /** The run has ended, or never began. */
  readonly failed: (failure: RunFailure) => void;
}

/** Takes what a run has found out at its start, at the moment when it becomes the one that calls go to. */
export type Adopt = (ready: RunReady) => void;

/** The runs of one server: the current one, and beside it those of a swap, and the one for clients of another era. */
export class Runs<Server> {
  /** The run that calls go to. Set here alone. */
  current: ServerRun | undefined;
  /** During a swap: the successor on its way up, the predecessor on its way down. And the run of the other era. */
  private readonly beside = new Set<ServerRun>();
  private readonly relisters = new WeakMap<ServerRun, Relister>();

  constructor(
    private readonly init: RunsInit<Server>,
    private readonly components: UpstreamComponents<Server>,
    private readonly owner: RunsOwner,
  ) {}

  /** A list of the current run may have changed without a word of the server. */
  relist(kind: ListKind): void {
    if (this.current !== undefined) this.relisters.get(this.current)?.changed(kind);
  }

  /** Starts a run as the current one. Resolves when it is up, or has failed. */
  async start(generation: number, adopt: Adopt): Promise<void> {
    const { run, settled } = this.begin(
      (ready) => {
        if (this.current === run) adopt(ready);
      },
      (failure) => this.owner.failed(run, generation, failure),
    );
    this.current?.mute();
    this.current = run;
    await settled;
  }

  /**
   * Starts a run beside the current one. Once it is up it takes over, and the run before is retired.
   *
   * @returns why it failed, if so: then the run before goes on
   */
  async swap(
    generation: number,
    adopt: Adopt,
    drainMs: number,
    timings: StopTimings,
  ): Promise<RunFailure | undefined> {
    const { current: before } = this;
    const { run, settled } = this.begin(
      (ready) => {
        // It may have ended in the very moment in which it was up.
        if (!run.isServing) return;
        this.current = run;
        this.beside.delete(run);
        if (before !== undefined) this.beside.add(before);
        adopt(ready);
      },
      (failure) => this.owner.failed(run, generation, failure),
    );
    this.beside.add(run);
    await settled;
    const hasTakenOver = !this.beside.delete(run);
    const loser = hasTakenOver ? before : run;
    if (hasTakenOver) await before?.retire({ kind: 'reloaded' }, drainMs, timings);
    if (loser !== undefined) this.beside.delete(loser);
    loser?.mute();
    return hasTakenOver ? undefined : (run.failure ?? { kind: 'removed' });
  }

  /** Starts a run beside the current one, for the clients of one era. Resolves when it is up, or has failed. */
  async open({ ready, failed, ...second }: SecondInit): Promise<void> {
    const ended = async (failure: RunFailure): Promise<void> => {
      failed(failure);
      await run.stop(ABORT_TIMINGS);
      this.beside.delete(run);
    };
    const { run, settled } = this.begin(
      (found) => ready(run, found),
      (failure) => void ended(failure),
      second,
    );
    this.beside.add(run);
    await settled;
  }

  /** A run beside the current one is not needed any more. */
  async close(run: ServerRun, drainMs: number, timings: StopTimings): Promise<void> {
    await run.retire({ kind: 'reloaded' }, drainMs, timings);
    run.mute();
    this.beside.delete(run);
  }

  /** Ends all runs, after giving their calls `drainMs` to finish. */
  async retire(failure: RunFailure, drainMs: number, timings: StopTimings): Promise<void> {
    await Promise.all(this.all.map((run) => run.retire(failure, drainMs, timings)));
  }

  /** Ends all runs as fast as mcpmux's own end demands. */
  async shutDown(): Promise<void> {
    await Promise.all(this.all.map((run) => run.end({ kind: 'shut-down' }, SHUTDOWN_TIMINGS)));
  }

  private get all(): readonly ServerRun[] {
    return this.current === undefined ? [...this.beside] : [this.current, ...this.beside];
  }

  /** Starts a run. `settled` resolves when it is up and was adopted, or has failed. */
  private begin(
    adopt: Adopt,
    failed: (failure: RunFailure) => void,
    second?: SecondEra,
  ): { run: ServerRun; settled: Promise<void> } {
    const { components, owner } = this;
    const { upstream, ...init } = this.init;
    const relister = new Relister(components.clock, async (kind) => {
      // A change that is announced before the first list is complete may be one that the list does not hold.
      await settled;
      if (run.live !== undefined) await owner.relist(run, kind, run.live);
    });
    const listChanged = (kind: ListKind): void => relister.changed(kind);
    const inbox = new RunInbox({ upstream, inbox: components.inbox, listChanged });
    const runId = components.nextRunId();
    const run: ServerRun = new ServerRun({ ...init, inbox, runId, second }, components, {
      ...owner,
      failed: (failure) => {
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
