/**
 * Characters that a reader does not see, or that change the order in which others are seen: controls, format
 * characters (zero width, direction, tags), line and paragraph separators, fillers, variation selectors.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** A text in which everything invisible is written as an escape, such as `\u{202e}`: for a person to judge. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
