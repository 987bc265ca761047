import { type ChannelEnd, StreamChannel, type StreamChannelLimits } from '@mcpmux/wire';
import type { ServerProcess } from '../../process/server-process.js';
import type { StopTimings } from '../../process/stop-ladder.js';
import { brokenPipe } from './broken-pipe.js';
import type { Endpoint } from './endpoint.js';
import type { RunFailure } from '../link/run-failure.js';

/** From the end of a pipe to the conclusion that it was closed on purpose. */
const PIPE_END_GRACE_MS = 200;

/** {@link Endpoint} that is a process, spoken to over its pipes. */
export class ProcessEndpoint implements Endpoint {
  readonly channel: StreamChannel;
  /** An exit closes the pipes as well, and says more: it gets the moment it needs to arrive. */
  readonly endGraceMs = PIPE_END_GRACE_MS;

  constructor(
    private readonly process: ServerProcess,
    limits: StreamChannelLimits,
  ) {
    this.channel = new StreamChannel(process.streams, { ...limits, borrowsLines: true });
  }

  get pid(): number {
    return this.process.pid;
  }

  get stderrTail(): readonly string[] {
    return this.process.stderr.tail;
  }

  /** A server that cannot be reached any more is over, even if its process is not. */
  failureOf(end: ChannelEnd): RunFailure | undefined {
    if (this.process.exit !== undefined) return undefined;
    return { kind: 'pipe-closed', ...brokenPipe(end), stderrTail: this.stderrTail };
  }

  stop(timings: StopTimings): Promise<void> {
    return this.process.stop(timings);
  }
}
