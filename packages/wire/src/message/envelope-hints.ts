import type { RawId } from './request-id.js';

/**
 * Evidence about the message on a line that could not be read. It is taken only from the message's own members, never
 * from nested objects. A line with an unusual layout yields no hint, because a wrong hint is worse than none.
 */
export interface EnvelopeHints {
  /** Undefined if the id is missing, ambiguous, truncated or not a valid request id. */
  readonly id: RawId | undefined;
  /** True if the message has an id, even an unreadable one. */
  readonly hasId: boolean;
  /** `calling` for requests and notifications. `unknown` if no member distinguishes the message from a response. */
  readonly kind: 'calling' | 'response' | 'unknown';
}

/** The hints for a line that is not an object. */
export const NO_HINTS: EnvelopeHints = { id: undefined, hasId: false, kind: 'unknown' };

/** The number of bytes at the end of a line that are searched for an id. */
const ID_SEARCH_BYTES = 1024;

/**
 * Matches an `id` that is the message's last member, or is followed only by `"jsonrpc"`. The quote before `id` follows
 * a comma, so it is not escaped and begins a key. The quotes after it are paired, so the last brace closes the message.
 */
const LAST_ID =
  /,\s*"id"\s*:\s*("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|[^\s",[\]{}]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
const VALID_ID = /^(?:"|-?(?:0|[1-9]\d*)$)/;

/** Adds evidence from the last bytes of the same line, if it is an object. If the ids conflict, neither is used. */
export function addTailHints(hints: EnvelopeHints, tail: Buffer): EnvelopeHints {
  if (hints === NO_HINTS) return hints;
  const id = LAST_ID.exec(tail.toString('utf8', Math.max(0, tail.length - ID_SEARCH_BYTES)))?.[1];
  if (id === undefined || id === hints.id) return hints;
  return { ...hints, id: hints.hasId || !VALID_ID.test(id) ? undefined : (id as RawId), hasId: true };
}
