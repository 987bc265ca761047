/** Formats a duration in its largest unit, rounded down, such as `12s`, `5m`, `3h` or `2d`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** Formats a short duration, such as `0.4 ms`, `12 ms` or `1.5 s`. */
export function formatMilliseconds(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms < 10 ? ms : Math.round(ms)} ms`;
}
