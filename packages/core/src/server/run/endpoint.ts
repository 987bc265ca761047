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

/** The other side of one run: a process of ours, or a session with a server at a url. */
export interface Endpoint {
  /** Null for a server that runs elsewhere. */
  readonly pid: number | null;
  readonly channel: Channel;
  /** The channel, where its messages are requests of HTTP. */
  readonly http?: HttpRequests;
  /** The first and the last lines of its stderr. */
  readonly stderrTail: readonly string[];
  /** From the end of the channel to the conclusion that it has another reason than an exit, which comes a moment later. */
  readonly endGraceMs: number;
  /** Returns the failure for the end of the channel; undefined if another event reports it. */
  readonly failureOf: (end: ChannelEnd) => RunFailure | undefined;
  /** Resolves when nothing of it is left. */
  readonly stop: (timings: StopTimings) => Promise<void>;
}

/** The common members of all endpoints that are not processes of mcpmux. */
export const ELSEWHERE = { pid: null, stderrTail: [], endGraceMs: 0 } as const;

/** The run that an endpoint is brought up for. */
export interface LaunchingRun {
  /** For the log. */
  readonly server: string;
  /** Unique among all runs of this mux. */
  readonly runId: number;
  readonly mask: TextMask;
  /** True once nothing is to be launched any more. */
  readonly isOver: () => boolean;
  readonly spawned: (pid: number) => void;
  readonly stderrLine: (line: string) => void;
  readonly exited: (exit: ProcessExit) => void;
  /** True if the request with this id has no answer yet. */
  readonly isAwaited: (id: number) => boolean;
  /** The request with this id will get no answer; the run goes on. */
  readonly undelivered: (id: unknown, failure: RemoteFailure) => void;
  /** The server may have forgotten the session. Resolves to whether a new session serves. */
  readonly doubted: () => Promise<boolean>;
}

/** The channel towards a server over streams, or over a transport of its host. */
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
