import type { ProcessExit } from '../../process/process-spec.js';
import type { RemoteFailure } from '../link/remote-failure.js';
import type { Endpoint } from './endpoint.js';

/** The run that a launch is for. */
export interface LaunchingRun {
  /** For the log. */
  readonly server: string;
  /** Unique among all runs of this mux. */
  readonly runId: number;
  readonly redact: (text: string) => string;
  /** True once nothing is to be launched any more. */
  readonly isOver: () => boolean;
  readonly spawned: (pid: number) => void;
  readonly stderrLine: (line: string) => void;
  readonly exited: (exit: ProcessExit) => void;
  /** The request with this id will get no answer; the run goes on. */
  readonly undelivered: (id: unknown, failure: RemoteFailure) => void;
}

/** What a launch leaves to be undone. */
export interface LaunchTraces {
  /** A spawn slot was acquired. Throws when the run is over, so that nothing is spawned. */
  slotAcquired(release: () => void): void;
  /** From here on there may be a process: to be stopped when this has resolved. */
  spawning(endpoint: Promise<Endpoint>): void;
}

/** Brings up the other side of a run, or rejects. */
export type Launcher = (run: LaunchingRun, traces: LaunchTraces) => Promise<Endpoint>;
