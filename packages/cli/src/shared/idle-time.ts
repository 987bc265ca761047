/** How long shared processes and servers continue to run without windows. */
export interface IdleTime {
  /** The time in milliseconds. */
  readonly ms: number;
  /** True if the user has set the time. */
  readonly isChosen: boolean;
}

/**
 * Returns the idle time after the last window, in milliseconds. By default, a process or server that only one window
 * has used ends together with the window, as it would without `--shared`.
 *
 * @param isShared true if several windows have used the process or server at the same time
 */
export function idleMsAfterLastWindow({ ms, isChosen }: IdleTime, isShared: boolean): number {
  return isShared || isChosen ? ms : 0;
}
