/** A tool call, as the page lists it. */
export interface CallRecord {
  readonly call: number;
  /** The start time, in milliseconds since 1970. */
  readonly time: number;
  readonly server: string;
  /** The server's layer. Absent for a server that all clients share. */
  readonly layer?: string;
  readonly tool: string;
  readonly client?: string;
  readonly session?: number;
  /** The sizes of the request and the response, in bytes. */
  readonly sent?: number;
  readonly received?: number;
  /** Absent while the call is in flight. */
  readonly ms?: number;
  /** The call's outcome. `unknown` if the feed stopped listening while the call was in flight. */
  readonly ending?: string;
  readonly problem?: string | undefined;
  /** True if the call's arguments are stored. */
  readonly hasContent: boolean;
}

/** A call's arguments and result, which the page requests by number. */
export interface CallContent {
  readonly arguments: string;
  /** The size of the complete arguments. Present if `arguments` contains only their beginning. */
  readonly argumentsBytes?: number;
  /** Absent while the call is in flight. */
  readonly result?: string;
  readonly resultBytes?: number;
}

/** The outcome of a call that was in flight when the feed stopped listening. */
export const UNKNOWN_ENDING = 'unknown';

/** True for a call that ended without a usable result. A cancelled call does not count as failed. */
export function hasFailed({ ending, problem }: Pick<CallRecord, 'ending' | 'problem'>): boolean {
  if (ending === undefined || ending === 'cancelled' || ending === UNKNOWN_ENDING) return false;
  return ending !== 'result' || problem !== undefined;
}
