/** The bytes are not one JSON text (RFC 8259), or nest deeper than `MAX_JSON_DEPTH`. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';

  constructor(
    problem: string,
    /** Byte offset at which reading stopped. */
    readonly offset: number,
    /** True when reading stopped because of the depth: the text may be JSON all the same. */
    readonly isTooDeep = false,
  ) {
    super(`${problem} at byte ${offset}`);
  }
}
