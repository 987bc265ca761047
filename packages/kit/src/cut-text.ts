/**
 * Returns the beginning of a text, up to `length` UTF-16 code units. Does not split a surrogate pair, because strict
 * parsers reject a message whose JSON contains half of a pair.
 */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length);
  return cut.length < text.length && isHighSurrogate(cut.charCodeAt(cut.length - 1)) ? cut.slice(0, -1) : cut;
}

/** Returns the beginning of a text, up to `maxBytes` bytes of UTF-8. Does not split a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text.slice(0, maxBytes));
  let end = Math.min(maxBytes, bytes.length);
  while (end > 0 && isContinuationByte(bytes[end])) end -= 1;
  return bytes.toString('utf8', 0, end);
}

function isContinuationByte(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd8_00 && unit <= 0xdb_ff;
}
