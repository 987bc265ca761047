/** How long something that windows share runs on without windows. */
export interface IdleTime {
  /** In milliseconds. */
  readonly ms: number;
  /** True if the user has set the time. */
  readonly isChosen: boolean;
}

/**
 * The time after the last window, in milliseconds. What only one window has used ends with it, as it does without
 * `--shared`, unless the user has set a time.
 *
 * @param isShared whether two windows have used it at the same time
 */
export function idleAfter({ ms, isChosen }: IdleTime, isShared: boolean): number {
  return isShared || isChosen ? ms : 0;
}
