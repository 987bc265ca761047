import type { TextMask } from '@mcpmux/kit';
import type { HttpRequests } from '@mcpmux/remote';
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
import type { RemoteFailure } from '../link/remote-failure.js';
import type { RunFailure } from '../link/run-failure.js';
import type { RunComponents } from './run-components.js';
import type { RunReport } from './server-report.js';

/**
 * The other side of one run: a process of mcpmux, a connection that the host has opened, or a session with a server at
 * a URL.
 */
export interface Endpoint {
  /** Null for a server that runs elsewhere. */
  readonly pid: number | null;
  /** The program that confines the process; absent if none does. */
  readonly confinedBy?: string | undefined;
  readonly channel: Channel;
  /** The channel, if its messages are HTTP requests. */
  readonly http?: HttpRequests;
  /** An excerpt of its stderr. */
  readonly stderrTail: readonly string[];
  /**
   * The time to wait for an exit after the channel has ended, in milliseconds. An exit explains the end better, but
   * arrives a moment later.
   */
  readonly endGraceMs: number;
  /** Returns the failure for the end of the channel; undefined if another event reports it. */
  readonly failureOf: (end: ChannelEnd) => RunFailure | undefined;
  /** Ends the endpoint. Resolves when nothing of it is left. */
  readonly stop: (timings: StopTimings) => Promise<void>;
}

/** The common members of all endpoints that are not processes of mcpmux. */
export const ELSEWHERE = { pid: null, stderrTail: [], endGraceMs: 0 } as const;

/** The run for which an endpoint is launched. */
export interface LaunchingRun {
  /** The name of the server, for the log. */
  readonly server: string;
  /** Unique among all runs of this mux. */
  readonly runId: number;
  /** Changes when a command has printed a value. */
  mask: TextMask;
  /** Takes a value that a command of the configuration has printed. */
  readonly printed: (value: string) => void;
  /** True once the run is over, so that nothing must be launched. */
  readonly isOver: () => boolean;
  readonly report: (report: RunReport) => void;
  readonly exited: (exit: ProcessExit) => void;
  /** True if the request with this id has no answer yet. */
  readonly isAwaited: (id: number) => boolean;
  /** Called when the request with this id will get no answer. The run continues. */
  readonly undelivered: (id: unknown, failure: RemoteFailure) => void;
  /** Called when the server may have lost the session. Resolves to true if a new session serves. */
  readonly doubted: () => Promise<boolean>;
}

/** Returns the channel to a server over streams, or over a transport of the host. */
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
