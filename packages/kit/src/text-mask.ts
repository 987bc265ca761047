/** A long text that is split in two. */
export interface SplitText {
  /** The first part, without secrets. */
  readonly shown: string;
  /** The second part, which has not been redacted yet. It is shorter than the text. */
  readonly rest: string;
}

/** Removes secrets from text. */
export interface TextMask {
  /** Returns a complete text without its secrets. */
  redact(text: string): string;
  /**
   * Splits a text after about `length` characters. No secret is cut in two. Returns undefined if the text is too short.
   *
   * @param isWhole false if more of the text follows. Such a text must be longer, because a secret may begin at its
   *   end.
   */
  split(text: string, length: number, isWhole: boolean): SplitText | undefined;
}

/** The mask for a server that has no secrets. */
export const NO_MASK: TextMask = {
  redact: (text) => text,
  split: (text, length) =>
    text.length > length ? { shown: text.slice(0, length), rest: text.slice(length) } : undefined,
};

/** Returns the start of a text without secrets, or an empty text if more of the text is needed to find its secrets. */
export function shownStart(mask: TextMask, text: string, length: number, isWhole = true): string {
  const parts = mask.split(text, length, isWhole);
  if (parts === undefined) return isWhole ? mask.redact(text) : '';
  return parts.shown;
}
