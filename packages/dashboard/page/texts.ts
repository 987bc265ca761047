const UNITS = ['B', 'KB', 'MB', 'GB'] as const;

/** A size for people. */
export function size(bytes: number | undefined): string {
  if (bytes === undefined) return '';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? ''}`;
}

/** A time span for people. */
export function span(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** The duration of a call. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The time of day. */
export function clock(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB');
}

/** The size of a text for a model: about four characters are one token. */
export function tokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}

/** JSON with line breaks; a text that is no JSON stays as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** A text that a server has written; empty for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
