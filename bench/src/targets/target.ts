import { guarded } from '../guarded.js';
import type { Connection } from '../load/connection.js';
import { RawClient, type Envelope } from '../load/raw-client.js';
import type { CommandLine } from '../managed-process.js';

/** The targets that show the cost of the modern era, and of each bridge. */
export type EraTargetName = 'legacy-on-modern' | 'modern-byte-pipe' | 'modern-on-legacy' | 'modern-on-modern';

/** The targets that show the cost of one process for all windows. */
export type SharedTargetName = 'bare-relay' | 'shared' | 'two-byte-pipes';

/** A program between the load generator and the echo server. */
export type TargetName =
  | 'direct'
  | 'byte-pipe'
  | 'mcpmux'
  | `mcpmux:${string}`
  | EraTargetName
  | SharedTargetName
  | 'sdk-v1-proxy'
  | 'sdk-v2-proxy'
  | 'mcp-proxy'
  | 'mcp-hub';

/** How to run one of them. */
export interface Target {
  readonly label: string;
  /** More bytes of answers than this are not kept in flight: it would be too slow, or take too much memory. */
  readonly maxBytesInFlight: number;
  /** Starts it, with this server behind it. */
  start(server: CommandLine): Promise<RunningTarget>;
}

/** A started target, ready for calls. */
export interface RunningTarget extends AsyncDisposable {
  readonly client: RawClient;
  /** The name that the echo tool has here. */
  readonly tool: string;
  /** The process in the middle; undefined when there is none. */
  readonly pid: number | undefined;
  /** Further processes that every call passes. */
  readonly others?: readonly number[];
}

/** For targets that carry everything as cheaply as this bench can ask for. */
export const UNBOUNDED = Number.POSITIVE_INFINITY;

/** For targets that need several times an answer in memory, and time that grows faster than its size. */
export const BOUNDED = 40_000_000;

/** A target that is reached through this connection, after the handshake. */
export async function running(
  connection: Connection,
  { tool, pid, envelope }: Pick<RunningTarget, 'tool' | 'pid'> & { readonly envelope?: Envelope },
): Promise<RunningTarget> {
  const client = new RawClient(connection, 1, envelope);
  await guarded(connection, () => client.initialize());
  return { client, tool, pid, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
}
