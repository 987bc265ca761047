/**
 * Matches characters that a reader cannot see, or that reorder other characters: controls, format characters (zero
 * width, direction, tags), line and paragraph separators, fillers, variation selectors.
 */
const INVISIBLE_CHARACTER = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Matches a run of invisible characters. */
const INVISIBLE_RUN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu;
const COMMON_WHITE_SPACE = new Set(['\n', '\r', '\t']);
/**
 * Characters that join letters, or select the form of an emoji. They are ordinary text unless a run has more than
 * {@link MAX_JOINERS} of them.
 */
const JOINERS = new Set(['\u200c', '\u200d', '\ufe0e', '\ufe0f']);
const MAX_JOINERS = 2;

/** Returns the code point of the first character that can hide text from a reader, such as `U+202E`, if any. */
export function hiddenCharacter(text: string): string | undefined {
  for (const [run] of text.matchAll(INVISIBLE_RUN)) {
    const characters = run.split(/(?:)/u).filter((character) => !COMMON_WHITE_SPACE.has(character));
    const hidden = characters.find((character) => !JOINERS.has(character)) ?? characters[MAX_JOINERS];
    if (hidden !== undefined) return `U+${codePointHex(hidden).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

/** Replaces every invisible character with an escape, such as `\u{202e}`, so that a person can judge the text. */
export function escapeInvisible(text: string): string {
  return text.replaceAll(INVISIBLE_CHARACTER, (character) => `\\u{${codePointHex(character)}}`);
}

function codePointHex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}
