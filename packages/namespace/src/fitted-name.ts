import type { QualifiedName } from './qualified-name.js';
import { SEPARATOR } from './separator.js';

/** How {@link fitName} makes a name fit. */
export interface FitOptions {
  /** Longest name allowed, in characters; at least {@link MIN_NAME_BUDGET}. */
  readonly maxLength: number;
  /** A hash of the text as lowercase hexadecimal digits, eight or more of them; SHA-256, say. */
  readonly digest: (text: string) => string;
  /**
   * 0, the default, for the first try. When the result is already another tool's name, a caller asks
   * again with 1, 2, …, each of which gives another hash.
   */
  readonly attempt?: number;
}

/**
 * Longest qualified name that every usual client can pass on to its model, in characters.
 *
 * Model APIs accept tool names of 64, and clients put a prefix of their own in front: for a server
 * registered as `mcpmux`, that is `mcp__mcpmux__`, 13 characters.
 */
export const DEFAULT_NAME_BUDGET = 64 - 'mcp__mcpmux__'.length;

/** Smallest budget that {@link fitName} works with, in characters. */
export const MIN_NAME_BUDGET = 16;

const HASH_LENGTH = 8;
const ACCEPTED = /^[A-Za-z0-9_-]+$/;
const NOT_IN_HEAD = /[^A-Za-z0-9-]+/g;
const HEAD_IF_EMPTY = 's';

/**
 * Gives the name under which a tool or prompt is shown to clients.
 *
 * A qualified name of `[A-Za-z0-9_-]` within the budget stays as it is. Any other becomes
 * `{server head}__{local head}_{8 hex digits}`: the readable remains of both parts and a hash of the
 * whole, so the same name always gives the same result. Without any remains of the local name its head
 * and `_` are left out. The result holds `__`, is never longer than the budget and has no character
 * outside `[A-Za-z0-9_-]`.
 *
 * Thirty-two bits of hash do not exclude a collision; see {@link FitOptions.attempt}.
 *
 * @throws RangeError when `maxLength` is below {@link MIN_NAME_BUDGET}
 */
export function fitName(qualified: QualifiedName, options: FitOptions): string {
  const { maxLength, digest, attempt = 0 } = options;
  if (!(maxLength >= MIN_NAME_BUDGET)) {
    throw new RangeError(`maxLength is ${maxLength}; a fitted name needs at least ${MIN_NAME_BUDGET}`);
  }
  if (qualified.length <= maxLength && ACCEPTED.test(qualified)) return qualified;

  const hash = digest(attempt > 0 ? `${qualified}#${attempt}` : qualified).slice(0, HASH_LENGTH);
  const end = qualified.indexOf(SEPARATOR);
  const server = headOf(qualified.slice(0, end)) || HEAD_IF_EMPTY;
  const local = headOf(qualified.slice(end + SEPARATOR.length));

  const room = maxLength - SEPARATOR.length - '_'.length - HASH_LENGTH;
  // the server's head gives way first, but keeps what the local head leaves and at least half the room
  const serverRoom = Math.max(room - local.length, Math.floor(room / 2));
  const serverHead = trimUnderscores(server.slice(0, serverRoom)) || HEAD_IF_EMPTY;
  const localHead = trimUnderscores(local.slice(0, room - serverHead.length));
  return `${serverHead}${SEPARATOR}${localHead === '' ? '' : `${localHead}_`}${hash}`;
}

function headOf(part: string): string {
  return trimUnderscores(part.replace(NOT_IN_HEAD, '_'));
}

function trimUnderscores(text: string): string {
  return text.replace(/^_+|_+$/g, '');
}
