/** How long a shared process, or a server in it, continues to run without windows. */
export interface IdleTime {
  readonly ms: number;
  /** True if the user has set the time. */
  readonly isChosen: boolean;
}

/**
 * Returns how long a process or server continues to run after its last window has disconnected, in milliseconds. By
 * default, one that only a single window has used ends with that window, as it would without `--shared`.
 *
 * @param isShared true if several windows have used the process or server at the same time
 */
export function idleMsAfterLastWindow({ ms, isChosen }: IdleTime, isShared: boolean): number {
  return isShared || isChosen ? ms : 0;
}
