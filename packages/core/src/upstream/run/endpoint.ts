import type { Channel, ChannelEnd } from '@mcpmux/wire';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { RunFailure } from '../link/run-failure.js';

/** The other side of one run: a process of ours, or a session with a server at a url. */
export interface Endpoint {
  /** Null for a server that runs elsewhere. */
  readonly pid: number | null;
  readonly channel: Channel;
  /** The last lines of its stderr. */
  readonly stderrTail: readonly string[];
  /** From the end of the channel to the conclusion that it has another reason than an exit, which comes a moment later. */
  readonly endGraceMs: number;
  /** What the end of its channel means; undefined when what has happened is told otherwise. */
  failureOf(end: ChannelEnd): RunFailure | undefined;
  /** Resolves when nothing of it is left. */
  stop(timings: StopTimings): Promise<void>;
}
