/** How the run of a removed server ends. */
export interface RemovalOptions {
  /** When aborted, calls in flight and processes get no more time than those of a failed start. */
  readonly haste?: AbortSignal | undefined;
  /** True if the server goes on elsewhere: calls in flight that fail say so, and not that the server was removed. */
  readonly isMoved?: boolean | undefined;
}
