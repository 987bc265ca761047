import { waitAtMost, type Clock } from '../clock.js';
import type { StopTimings } from '../process/stop-ladder.js';
import type { ChannelEnd } from '../wire/line-channel.js';
import { StreamChannel, type StreamChannelLimits, type StreamPair } from '../wire/stream-channel.js';
import type { Peer } from './peer.js';
import type { RunFailure } from './run-failure.js';

/** How a {@link StreamPeer} is spoken to, and what is said when it is lost. */
export interface StreamPeerInit {
  readonly clock: Clock;
  readonly limits: StreamChannelLimits;
  readonly advice: string;
}

/** {@link Peer} at the other end of streams that the host has opened. Nothing of it is ours to stop. */
export class StreamPeer implements Peer {
  readonly pid = null;
  readonly stderrTail: readonly string[] = [];
  readonly endGraceMs = 0;
  readonly channel: StreamChannel;

  constructor(
    streams: StreamPair,
    private readonly init: StreamPeerInit,
  ) {
    this.channel = new StreamChannel(streams, { ...init.limits, lendsLines: true });
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
