import type { ChannelEnd } from '@mcpmux/wire';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { RemoteChannel } from '../../remote/remote-channel.js';
import { RemoteError, SessionLostError } from '../../remote/remote-error.js';
import type { Endpoint } from './endpoint.js';
import type { RunFailure } from '../link/run-failure.js';

/** What the server is given to take note of the end of its session, at least and at most. */
const MIN_GOODBYE_MS = 250;
const MAX_GOODBYE_MS = 1000;

/** {@link Endpoint} that is a session with a server at a url. */
export class UrlEndpoint implements Endpoint {
  readonly pid = null;
  readonly stderrTail: readonly string[] = [];
  readonly endGraceMs = 0;

  constructor(
    readonly channel: RemoteChannel,
    private readonly redact: (text: string) => string,
  ) {}

  failureOf({ reason, error }: ChannelEnd): RunFailure | undefined {
    // Closed by whoever ended the run.
    if (reason === 'closed') return undefined;
    const problem = this.redact(error instanceof Error ? error.message : 'its connection has ended');
    if (error instanceof SessionLostError) return { kind: 'session-lost', problem };
    return {
      kind: 'unreachable',
      problem,
      advice: error instanceof RemoteError ? error.advice : undefined,
    };
  }

  /** The session is ended at the server, as the specification asks for. */
  stop({ eofGraceMs }: StopTimings): Promise<void> {
    return this.channel.close(Math.min(Math.max(eofGraceMs, MIN_GOODBYE_MS), MAX_GOODBYE_MS));
  }
}
