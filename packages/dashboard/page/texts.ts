import type { Server } from './overview.js';

const ENCODER = new TextEncoder();
const UNITS = ['B', 'KB', 'MB', 'GB'] as const;
// To make a formatter costs much more than to use one, and tables show hundreds of times.
const CLOCK = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

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
  return CLOCK.format(time);
}

/** A date and its time of day, as the browser writes them. */
export function moment(time: number): string {
  return MOMENT.format(time);
}

/** How long ago a time was. */
export function ago(time: number, now: number): string {
  const seconds = Math.max(0, now - time) / 1000;
  return seconds < 1 ? 'now' : `${span(seconds)} ago`;
}

/** Made once: to make a format takes as long as to use it hundreds of times. */
const [WHOLE, TENTHS] = [0, 1].map(
  (digits) => new Intl.NumberFormat('en-US', { maximumFractionDigits: digits }),
);

/** A number with its thousands apart. */
export function count(value: number): string {
  return (value < 10 ? TENTHS : WHOLE)?.format(value) ?? '';
}

/** The tokens that a model reads for so many bytes: about four are one token. */
export function tokensOf(bytes: number): number {
  return Math.ceil(bytes / 4);
}

/** The size of a text as mcpmux sends it, in UTF-8. */
export function bytesOf(text: string): number {
  return ENCODER.encode(text).length;
}

/** The first line of a text, shortened. */
export function firstLine(text: string, most = 160): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > most ? `${line.slice(0, most)} …` : line;
}

const sizes = new WeakMap<object, number>();

/** The size of a value for a model: about four bytes are one token. Counted once for each value. */
export function tokens(value: object): number {
  const known = sizes.get(value) ?? tokensOf(bytesOf(JSON.stringify(value)));
  sizes.set(value, known);
  return known;
}

/** The mark of a text that is the beginning of so many bytes. */
export function cutMark(text: string, bytes: number): string {
  const shown = bytesOf(text);
  return `The page has the first ${count(shown)} of ${count(bytes)} bytes.`;
}

/** The longest text of a message that mcpmux sends to the page. A cut may leave out half a character more. */
const MAX_MESSAGE = 16_384;

/** The size of a message of which the page has only the beginning; undefined for one that is whole. */
export function cutMessage(text: string, bytes: number): number | undefined {
  const isCut = text.length >= MAX_MESSAGE - 1 && bytesOf(text) < bytes;
  return isCut ? bytes : undefined;
}

/** JSON with line breaks; a text that is no JSON stays as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The beginning of a text in a result of which only the beginning is known; all of it if no text is in it. */
export function beginningOf(result: string): string {
  const [, text] = /"text":"((?:[^"\\]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*)/.exec(result) ?? [];
  try {
    return text === undefined ? result : String(JSON.parse(`"${text}"`));
  } catch {
    return result;
  }
}

/** The pings of the health check of a server that runs. mcpmux pings a server that was silent for an interval. */
export function pingsOf(health: Server['health']): string {
  if (health === undefined) return 'no health check';
  const { missed, answered_seconds_ago: seconds } = health;
  const answered = seconds === undefined ? '' : `last answered ${span(seconds)} ago`;
  const missing = missed === 0 ? '' : `${count(missed)} not answered`;
  return [missing, answered].filter((text) => text !== '').join(', ') || 'not asked';
}
