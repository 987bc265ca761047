/** The maximum length of a quoted text in a message, in UTF-16 code units. */
const MAX_QUOTED_LENGTH = 64;

/**
 * Matches characters that a name must not contain, because a terminal or a log would act on them instead of showing
 * them: C0, DEL and C1 (`Cc`), line and paragraph separators, and bidirectional overrides and isolates.
 */
export const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, 'gu');

/**
 * Returns any text as a double-quoted literal that is safe to print. {@link UNPRINTABLE} characters and lone surrogates
 * appear as `\uXXXX`, and a long text ends in `…` inside the quotes.
 */
export function quote(text: string): string {
  const shown = text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
  return JSON.stringify(shown).replace(EVERY_UNPRINTABLE, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
