/** The bytes are not one JSON text (RFC 8259), or exceed `MAX_JSON_DEPTH` or `MAX_JSON_VALUES`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    problem: string,
    /** Byte offset at which reading stopped. */
    readonly offset: number,
    /** True when reading stopped at a limit: the text may be JSON all the same. */
    readonly isBeyondLimit = false,
  ) {
    super(`${problem} at byte ${offset}`);
  }
}
