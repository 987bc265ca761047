import { type ChannelEnd, StreamChannel, type StreamChannelLimits, type StreamPair } from '@mcpmux/wire';
import { waitAtMost, type Clock } from '../../base/clock.js';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { Endpoint } from './endpoint.js';
import type { RunFailure } from '../link/run-failure.js';

/** How a {@link StreamEndpoint} is spoken to, and what is said when it is lost. */
export interface StreamPeerInit {
  readonly clock: Clock;
  readonly limits: StreamChannelLimits;
  readonly advice: string;
}

/** {@link Endpoint} at the other end of streams that the host has opened. Nothing of it is ours to stop. */
export class StreamEndpoint implements Endpoint {
  readonly pid = null;
  readonly stderrTail: readonly string[] = [];
  readonly endGraceMs = 0;
  readonly channel: StreamChannel;

  constructor(
    streams: StreamPair,
    private readonly init: StreamPeerInit,
  ) {
    this.channel = new StreamChannel(streams, { ...init.limits, borrowsLines: true });
  }

  failureOf({ error }: ChannelEnd): RunFailure {
    const problem = error instanceof Error ? error.message : 'its connection has ended';
    return { kind: 'unreachable', problem, advice: this.init.advice };
  }

  /** What was sent last gets a moment to leave. */
  async stop({ eofGraceMs }: StopTimings): Promise<void> {
    await waitAtMost(eofGraceMs, this.channel.end(), this.init.clock);
    this.channel.destroy();
  }
}
