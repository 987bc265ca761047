declare const lifetime: unique symbol;

/**
 * A line whose bytes may be gone at the end of the read scope. `toOwned` makes a line of it that stays.
 *
 * The compiler refuses one where an {@link OwnedLine} is asked for. A plain `Buffer` passes for both.
 */
export type BorrowedLine = Buffer & { readonly [lifetime]?: 'borrowed' };

/** A line that may be stored. */
export type OwnedLine = Buffer & { readonly [lifetime]?: 'owned' };
