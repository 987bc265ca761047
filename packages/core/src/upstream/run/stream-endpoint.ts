import type { ChannelEnd, StreamChannel } from '@mcpmux/wire';
import { waitAtMost, type Clock } from '../../base/clock.js';
import { messageOf } from '../../base/errors.js';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { StreamConfig } from '../config/server-config.js';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';
import { serverChannel, type Endpoint } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/**
 * Has the host open the way to a server.
 *
 * @throws OwnRequestError when there is none any more
 */
export async function launchStreams(
  { open, advice }: StreamConfig,
  components: Pick<RunComponents, 'clock' | 'limits'>,
): Promise<Endpoint> {
  try {
    return new StreamEndpoint(serverChannel(await open(), components), advice, components.clock);
  } catch (error) {
    const problem = messageOf(error);
    throw new OwnRequestError(problem, false, { kind: 'undelivered', problem, advice });
  }
}

/** {@link Endpoint} at the other end of streams that the host has opened. Nothing of it is ours to stop. */
class StreamEndpoint implements Endpoint {
  readonly pid = null;
  readonly stderrTail: readonly string[] = [];
  readonly endGraceMs = 0;

  constructor(
    readonly channel: StreamChannel,
    private readonly advice: string,
    private readonly clock: Clock,
  ) {}

  failureOf({ error }: ChannelEnd): RunFailure {
    const problem = error instanceof Error ? error.message : 'its connection has ended';
    return { kind: 'unreachable', problem, advice: this.advice };
  }

  /** What was sent last gets a moment to leave. */
  async stop({ eofGraceMs }: StopTimings): Promise<void> {
    await waitAtMost(eofGraceMs, this.channel.end(), this.clock);
    this.channel.destroy();
  }
}
