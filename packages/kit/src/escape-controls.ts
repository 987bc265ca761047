/**
 * Matches characters that act on a terminal, or that change the order in which other characters appear: C0 and C1
 * controls except tab and newline, DEL, the bidirectional controls, and the line and paragraph separators.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Replaces control characters with `\uXXXX`, which has the same value in a JSON string, so JSON keeps its meaning. */
export function escapeControls(text: string): string {
  return text.replaceAll(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
