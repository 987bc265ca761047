/**
 * The beginning of a text, of at most so many UTF-16 units. No character is cut in half: JSON with one half of a
 * surrogate pair is refused by strict readers, and the whole message with it.
 */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.length < text.length && isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}
