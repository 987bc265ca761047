/** Thrown for bytes that are not a single JSON text (RFC 8259) or exceed `MAX_JSON_DEPTH` or `MAX_JSON_VALUES`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    problem: string,
    /** Byte offset at which reading stopped. */
    readonly offset: number,
    /** True if reading stopped at a limit. The text may still be valid JSON. */
    readonly isBeyondLimit = false,
  ) {
    super(`${problem} at byte ${offset}`);
  }
}
