/** The time for which shared processes and servers continue to run without windows. */
export interface IdleTime {
  /** In milliseconds. */
  readonly ms: number;
  /** True if the user has set the time. */
  readonly isChosen: boolean;
}

/**
 * Returns the time after the last window, in milliseconds. A process or server that only one window has used ends with
 * that window, as it does without `--shared`, unless the user has set a time.
 *
 * @param isShared true if two windows have used it at the same time
 */
export function idleAfter({ ms, isChosen }: IdleTime, isShared: boolean): number {
  return isShared || isChosen ? ms : 0;
}
