/**
 * Matches characters that affect a terminal or reorder other characters: C0 and C1 controls except tab and newline,
 * DEL, the bidirectional controls, and the line and paragraph separators.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces control characters with `\uXXXX`. In a JSON string, this escape has the same meaning as the character. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
