import type { ServerView } from '../src/data/overview-shown.js';

const ENCODER = new TextEncoder();
const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
// Creating a formatter costs much more than using it, and tables show hundreds of times.
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns a readable size. */
export function size(bytes: number | undefined): string {
  if (bytes === undefined) return '';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power] ?? ''}`;
}

/** Returns a readable time span. */
export function span(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Returns the duration of a call as text. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Returns the time of day. */
export function clock(time: number): string {
  return CLOCK.format(time);
}

/** Returns a date and its time of day in the format of the browser. */
export function moment(time: number): string {
  return MOMENT.format(time);
}

/** Returns how long ago a time was. */
export function ago(time: number, now: number): string {
  const seconds = Math.max(0, now - time) / 1000;
  return seconds < 1 ? 'now' : `${span(seconds)} ago`;
}

/** Created once, because creating a format takes as long as using it hundreds of times. */
const [WHOLE, TENTHS] = [0, 1].map(
  (digits) => new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }),
);

/** Returns a number with separated thousands. */
export function count(value: number): string {
  return (value < 10 ? TENTHS : WHOLE)?.format(value) ?? '';
}

/** Returns the approximate number of tokens for a size in bytes. About four bytes are one token. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 4);
}

/** Returns the size of a text in UTF-8, as mcpmux sends it. */
export function bytesOf(text: string): number {
  return ENCODER.encode(text).length;
}

/** Returns the first line of a text, shortened. */
export function firstLine(text: string, most = 160): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > most ? `${line.slice(0, most)} …` : line;
}

const sizes = new WeakMap<object, number>();

/** Returns the approximate number of tokens for a value. The number is calculated once per value. */
export function tokens(value: object): number {
  const known = sizes.get(value) ?? tokensOf(bytesOf(JSON.stringify(value)));
  sizes.set(value, known);
  return known;
}

/** Returns the note for a text that is only the beginning of this number of bytes. */
export function cutMark(text: string, bytes: number): string {
  const shown = bytesOf(text);
  return `The page has the first ${count(shown)} of ${count(bytes)} bytes.`;
}

/** The maximum length of a message text that mcpmux sends to the page. Truncation may remove half a character more. */
const MAX_MESSAGE = 16_384;

/** Returns the size of a message if the page has only its beginning. Returns undefined for a complete message. */
export function cutMessage(text: string, bytes: number): number | undefined {
  const isCut = text.length >= MAX_MESSAGE - 1 && bytesOf(text) < bytes;
  return isCut ? bytes : undefined;
}

/** Returns JSON with line breaks. Text that is not valid JSON is unchanged. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** Returns the beginning of the text in an incomplete result, or the whole result if it contains no text. */
export function beginningOf(result: string): string {
  const [, text] = /"text":"((?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)/.exec(result) ?? [];
  try {
    return text === undefined ? result : String(JSON.parse(`"${text}"`));
  } catch {
    return result;
  }
}

/** Returns the state of the health check of a running server. mcpmux pings a server that was silent for an interval. */
export function pingsOf(health: ServerView['health']): string {
  if (health === undefined) return 'no health check';
  const { missed, answered_seconds_ago: seconds } = health;
  const answered = seconds === undefined ? '' : `last answered ${span(seconds)} ago`;
  const missing = missed === 0 ? '' : `${count(missed)} not answered`;
  return [missing, answered].filter((text) => text !== '').join(', ') || 'not asked';
}
