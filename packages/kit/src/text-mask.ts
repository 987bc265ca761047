/** A long text that is split in two. */
export interface SplitText {
  /** The first part, without secrets. */
  readonly shown: string;
  /** The second part. It is shorter than the text, and has not been redacted yet. */
  readonly rest: string;
}

/** Removes secrets from text. */
export interface TextMask {
  /** Removes all secrets from a complete text. */
  redact(text: string): string;
  /**
   * Splits a text after about `length` characters, never within a secret. Returns undefined if the text is too short.
   *
   * @param isWhole false if more of the text will follow; such a text must be longer, because a secret may begin at its
   * end
   */
  split(text: string, length: number, isWhole: boolean): SplitText | undefined;
}

/** The mask for a server without secrets. */
export const NO_MASK: TextMask = {
  redact: (text) => text,
  split: (text, length) =>
    text.length > length ? { shown: text.slice(0, length), rest: text.slice(length) } : undefined,
};

/** Returns the start of a text without secrets, or an empty string if finding the secrets requires more of the text. */
export function shownStart(mask: TextMask, text: string, length: number, isWhole = true): string {
  const parts = mask.split(text, length, isWhole);
  if (parts === undefined) return isWhole ? mask.redact(text) : '';
  return parts.shown;
}
