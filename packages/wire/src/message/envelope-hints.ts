import type { RawId } from './request-id.js';

/**
 * Evidence of the message on a line that cannot be read: from members of the message itself, never of objects inside.
 * Too little is better than wrong: with an unusual layout there is no hint.
 */
export interface EnvelopeHints {
  /** Undefined also when the id is ambiguous, truncated or none that a request may have. */
  readonly id: RawId | undefined;
  /** The message has an id, known or not. */
  readonly hasId: boolean;
  /** `calling` for requests and notifications; `unknown` without a member that tells them from responses. */
  readonly kind: 'calling' | 'response' | 'unknown';
}

/** The hints of a line that is no object. */
export const NO_HINTS: EnvelopeHints = { id: undefined, hasId: false, kind: 'unknown' };

/** Number of bytes at the end of a line that contain an id there. */
const TAIL_BYTES = 1024;

/**
 * The id as the last member, or before `"jsonrpc"`. The quote before `id` follows a comma, so no backslash escapes it; the
 * quotes behind it are in pairs. So the key is a whole string, and the brace behind its value closes the message.
 */
const LAST_ID =
  /,\s*"id"\s*:\s*("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|[^\s",[\]{}]+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u;
const LEGAL = /^(?:"|-?(?:0|[1-9]\d*)$)/;

/** Adds the evidence in the last bytes of the same line, if that begins as an object. Two ids that differ are none. */
export function withTail(hints: EnvelopeHints, tail: Buffer): EnvelopeHints {
  if (hints === NO_HINTS) return hints;
  const id = LAST_ID.exec(tail.toString('utf8', Math.max(0, tail.length - TAIL_BYTES)))?.[1];
  if (id === undefined || id === hints.id) return hints;
  return { ...hints, id: hints.hasId || !LEGAL.test(id) ? undefined : (id as RawId), hasId: true };
}
