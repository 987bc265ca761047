/** A long text in two parts. */
export interface SplitText {
  /** The first part, without secrets. */
  readonly shown: string;
  /** The second part, with its secrets. It is shorter than the text. */
  readonly rest: string;
}

/** Takes secrets out of text. */
export interface TextMask {
  /** A whole text without secrets. */
  redact(text: string): string;
  /**
   * Splits a text after about `length` characters, such that no secret is cut in two. Undefined for a text that is too
   * short to be split; a text that is not whole must be longer, because a secret may begin at its end.
   */
  split(text: string, length: number, isWhole: boolean): SplitText | undefined;
}

/** The mask of a server without secrets. */
export const NO_MASK: TextMask = {
  redact: (text) => text,
  split: (text, length) =>
    text.length > length ? { shown: text.slice(0, length), rest: text.slice(length) } : undefined,
};

/** The beginning of a text, without secrets. Empty if the text breaks off too early to tell a secret from other text. */
export function shownStart(mask: TextMask, text: string, length: number, isWhole = true): string {
  const parts = mask.split(text, length, isWhole);
  if (parts === undefined) return isWhole ? mask.redact(text) : '';
  return parts.shown;
}
