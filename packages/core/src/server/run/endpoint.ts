import { messageOf, type TextMask, waitAtMost } from '@mcpmux/kit';
import type { HttpRequests } from '@mcpmux/remote';
import type { FollowedSandbox } from '@mcpmux/sandbox';
import {
  type Channel,
  type ChannelEnd,
  type SdkTransport,
  StreamChannel,
  type StreamPair,
  TransportChannel,
} from '@mcpmux/wire';
import type { ProcessExit } from '../../process/process-spec.js';
import type { StopTimings } from '../../process/stop-ladder.js';
import type { StreamConfig } from '../config/server-config.js';
import { OwnRequestError } from '../link/own-request.js';
import type { RemoteFailure } from '../link/remote-failure.js';
import type { RunFailure } from '../link/run-failure.js';
import type { RunComponents } from './run-components.js';
import type { RunReport } from './server-report.js';

/** The other end of a run: a process started by mcpmux, a connection of the host, or a session with a remote server. */
export interface Endpoint {
  /** The process id. Null for a server that mcpmux has not started. */
  readonly pid: number | null;
  /** The program that confines the process. Absent if the process is not confined. */
  readonly confinedBy?: string | undefined;
  /** The key of the client sandbox in which the process runs. Absent for a server that does not follow a client. */
  readonly within?: string | undefined;
  readonly channel: Channel;
  /** The channel, if it sends messages as HTTP requests. */
  readonly http?: HttpRequests;
  /** An excerpt of the process's stderr. */
  readonly stderrTail: readonly string[];
  /**
   * How long to wait for the process's exit after the channel has ended, in milliseconds. The exit explains the failure
   * better, but mcpmux detects it slightly later.
   */
  readonly endGraceMs: number;
  /** Returns the failure that ended the channel, or undefined if another event reports the failure. */
  readonly failureOf: (end: ChannelEnd) => RunFailure | undefined;
  /** Ends the endpoint. Resolves when it has ended completely. */
  readonly stop: (timings: StopTimings) => Promise<void>;
}

/** The members that all endpoints without an mcpmux process share. */
export const NO_PROCESS = { pid: null, stderrTail: [], endGraceMs: 0 } as const;

/** The run for which an endpoint is launched. */
export interface LaunchingRun {
  /** The server's name, for the log. */
  readonly server: string;
  /** The run's number, unique in this mux. */
  readonly runId: number;
  /** The client sandbox that the server follows, or undefined. */
  readonly followedSandbox?: FollowedSandbox | undefined;
  /** Removes secrets from text. Replaced when the output of a command is added to the secrets. */
  mask: TextMask;
  /** Called with the output of each command in the config. */
  readonly addSecret: (value: string) => void;
  /** True once the run is over. From then on, mcpmux must not launch anything for it. */
  readonly isOver: () => boolean;
  readonly report: (report: RunReport) => void;
  readonly onProcessExit: (exit: ProcessExit) => void;
  /** True while the request with this id is unanswered. */
  readonly isAwaited: (id: number) => boolean;
  /** Called when the request with this id can no longer be answered. The run continues. */
  readonly onUndelivered: (id: unknown, failure: RemoteFailure) => void;
  /** Called when the server may have lost the session. Resolves to true if a new session is available. */
  readonly onSessionDoubted: () => Promise<boolean>;
}

/** Opens the channel to a server over streams, or over the host's transport. */
export function serverChannel(
  link: StreamPair | SdkTransport,
  { limits, clock }: Pick<RunComponents, 'limits' | 'clock'>,
): Channel {
  const highWatermarkBytes = limits.maxServerQueueBytes;
  if ('start' in link)
    return new TransportChannel(link, { highWatermarkBytes, maxHeldBytes: limits.maxClientQueueBytes });
  return new StreamChannel(link, {
    maxLineBytes: limits.maxLineBytes,
    maxEndlessLineBytes: limits.maxEndlessLineBytes,
    highWatermarkBytes,
    stall: { clock, afterMs: limits.stallMs },
    borrowsLines: true,
  });
}

/**
 * Lets the host open the connection to a server. mcpmux does not stop the process at the other end of the connection.
 *
 * @throws OwnRequestError if the host cannot open the connection
 */
export async function streamEndpoint(
  { open, advice }: StreamConfig,
  components: RunComponents,
): Promise<Endpoint> {
  try {
    const channel = serverChannel(await open(), components);
    return {
      ...NO_PROCESS,
      channel,
      failureOf: ({ error }) => {
        const problem = error instanceof Error ? error.message : 'its connection has ended';
        return { kind: 'unreachable', problem, advice };
      },
      // Allows time to send the last messages.
      stop: async ({ eofGraceMs }) => {
        await waitAtMost(eofGraceMs, channel.end(), components.clock);
        channel.destroy();
      },
    };
  } catch (error) {
    const problem = messageOf(error);
    throw new OwnRequestError(problem, false, { kind: 'undelivered', problem, advice });
  }
}
