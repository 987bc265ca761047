const BACKSLASH = 0x5c;
const CHUNK_BYTES = 1024 * 1024;
/** Length of the longest escape, a surrogate pair. */
const LONGEST_ESCAPE = 12;

/**
 * Returns the text of a JSON string as UTF-8. A long string is decoded in parts, and other work can run between the
 * parts.
 *
 * @param start offset after the opening quote
 * @param end offset of the closing quote
 */
export async function decodedText(json: Buffer, start: number, end: number): Promise<Buffer> {
  const escape = json.indexOf(BACKSLASH, start);
  // A copy, so that a part does not retain the whole line of the answer.
  if (escape < 0 || escape >= end) return Buffer.from(json.subarray(start, end));
  const parts: Buffer[] = [];
  for (let at = start; at < end;) {
    const next = cutAfter(json, Math.min(at + CHUNK_BYTES, end), end);
    const text: unknown = JSON.parse(`"${json.toString('utf8', at, next)}"`);
    parts.push(Buffer.from(String(text)));
    at = next;
    if (at < end) await new Promise(setImmediate);
  }
  return Buffer.concat(parts);
}

/** Returns the first offset, `at` or later, that is neither within an escape nor within a character. */
function cutAfter(json: Buffer, at: number, end: number): number {
  for (let cut = at; cut < end; cut += 1) {
    const isWithinCharacter = ((json[cut] ?? 0) & 0xc0) === 0x80;
    const before = json.lastIndexOf(BACKSLASH, cut - 1);
    if (!isWithinCharacter && before < cut - LONGEST_ESCAPE) return cut;
  }
  return end;
}
