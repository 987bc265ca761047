declare const lifetime: unique symbol;

/**
 * A line whose bytes are valid only until the end of the read scope. `toOwned` returns a permanent copy if necessary.
 *
 * The compiler rejects a borrowed line where an {@link OwnedLine} is required, and accepts a plain `Buffer` as either.
 */
export type BorrowedLine = Buffer & { readonly [lifetime]?: 'borrowed' };

/** A line that may be stored. */
export type OwnedLine = Buffer & { readonly [lifetime]?: 'owned' };
