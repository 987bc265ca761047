import type { RawId } from './request-id.js';

/**
 * Evidence about the message on an unreadable line. It comes from members of the message itself, never from inner
 * objects. A missing hint is better than a wrong one, so an unusual layout yields none.
 */
export interface EnvelopeHints {
  /** Also undefined if the id is ambiguous, truncated or not a valid request id. */
  readonly id: RawId | undefined;
  /** True if the message has an id, readable or not. */
  readonly hasId: boolean;
  /** `calling` for requests and notifications. `unknown` if no member distinguishes the message from a response. */
  readonly kind: 'calling' | 'response' | 'unknown';
}

/** The hints for a line that is not an object. */
export const NO_HINTS: EnvelopeHints = { id: undefined, hasId: false, kind: 'unknown' };

/** The number of bytes at the end of a line that are searched for an id. */
const ID_SEARCH_BYTES = 1024;

/**
 * Matches an id that is the last member, or directly before a final `"jsonrpc"`. The quote before `id` follows a comma,
 * so no backslash escapes it, and the quotes after it are paired. The key is therefore a whole string, and the brace
 * after its value closes the message.
 */
const LAST_ID =
  /,\s*"id"\s*:\s*("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|[^\s",[\]{}]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
const VALID_ID = /^(?:"|-?(?:0|[1-9]\d*)$)/;

/** Adds the evidence from the last bytes of the same line if the line is an object. Conflicting ids yield no id. */
export function addTailHints(hints: EnvelopeHints, tail: Buffer): EnvelopeHints {
  if (hints === NO_HINTS) return hints;
  const id = LAST_ID.exec(tail.toString('utf8', Math.max(0, tail.length - ID_SEARCH_BYTES)))?.[1];
  if (id === undefined || id === hints.id) return hints;
  return { ...hints, id: hints.hasId || !VALID_ID.test(id) ? undefined : (id as RawId), hasId: true };
}
