import type { QualifiedName } from './qualified-name.js';
import { SEPARATOR } from './separator.js';

/** The options of {@link fitName}. */
export interface FitOptions {
  /** The maximum length of the name, in characters. At least {@link MIN_NAME_BUDGET}. */
  readonly maxLength: number;
  /** Returns a hash of the text as at least eight lowercase hexadecimal digits, for example SHA-256. */
  readonly digest: (text: string) => string;
  /**
   * 0 (the default) for the first attempt.
   *
   * If the result is already another tool's name, the caller tries 1, 2 and so on, each of which yields a different
   * hash.
   */
  readonly attempt?: number;
}

/**
 * Maximum length of a qualified name that all common clients can pass to their models, in characters.
 *
 * Model APIs accept tool names of 64 characters, and clients add their own prefix. For a server that is registered as
 * `mcpmux`, the prefix is `mcp__mcpmux__` with 13 characters.
 */
export const DEFAULT_NAME_BUDGET = 64 - 'mcp__mcpmux__'.length;

/** The minimum budget for {@link fitName}, in characters. */
export const MIN_NAME_BUDGET = 16;

const HASH_LENGTH = 8;
const ACCEPTED_NAME = /^[A-Za-z0-9_-]+$/;
const NON_HEAD_CHARACTERS = /[^A-Za-z0-9-]+/g;
const DEFAULT_HEAD = 's';

/**
 * Returns the client-facing name of a tool or prompt.
 *
 * A qualified name of `[A-Za-z0-9_-]` within the budget is unchanged. Any other name becomes
 * `{server head}__{local head}_{8 hex digits}`, with the readable remains of both parts and a hash of the whole, so the
 * same name always gives the same result. If nothing remains of the local name, its head and `_` are omitted. The
 * result contains `__`, never exceeds the budget and has only characters in `[A-Za-z0-9_-]`.
 *
 * A hash of 32 bits does not rule out a collision. See {@link FitOptions.attempt}.
 *
 * @throws RangeError if `maxLength` is below {@link MIN_NAME_BUDGET}
 */
export function fitName(qualified: QualifiedName, options: FitOptions): string {
  const { maxLength, digest, attempt = 0 } = options;
  if (!(maxLength >= MIN_NAME_BUDGET)) {
    throw new RangeError(`maxLength is ${maxLength}; a fitted name needs at least ${MIN_NAME_BUDGET}`);
  }
  if (qualified.length <= maxLength && ACCEPTED_NAME.test(qualified)) return qualified;

  const hash = digest(attempt > 0 ? `${qualified}#${attempt}` : qualified).slice(0, HASH_LENGTH);
  const end = qualified.indexOf(SEPARATOR);
  const server = readableHead(qualified.slice(0, end)) || DEFAULT_HEAD;
  const local = readableHead(qualified.slice(end + SEPARATOR.length));

  const room = maxLength - SEPARATOR.length - '_'.length - HASH_LENGTH;
  // The server's part is shortened first. It keeps at least half of the total, or more if the local part is short.
  const serverRoom = Math.max(room - local.length, Math.floor(room / 2));
  const serverHead = trimUnderscores(server.slice(0, serverRoom)) || DEFAULT_HEAD;
  const localHead = trimUnderscores(local.slice(0, room - serverHead.length));
  return `${serverHead}${SEPARATOR}${localHead === '' ? '' : `${localHead}_`}${hash}`;
}

function readableHead(part: string): string {
  return trimUnderscores(part.replace(NON_HEAD_CHARACTERS, '_'));
}

function trimUnderscores(text: string): string {
  return text.replace(/^_+|_+$/g, '');
}
