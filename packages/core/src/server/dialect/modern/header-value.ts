const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** Visible ASCII characters, with spaces and tabs between them. */
const PLAIN = /^[\u0021-\u007E](?:[\t\u0020-\u007E]*[\u0021-\u007E])?$/;

/**
 * Returns the value of a header for a text. The text is encoded in Base64 if a header cannot carry it, or if it looks
 * like an encoded value.
 */
export function headerValue(text: string): string {
  const isMarked = text.startsWith(PREFIX) && text.endsWith(SUFFIX);
  if (PLAIN.test(text) && !isMarked) return text;
  return `${PREFIX}${Buffer.from(text).toString('base64')}${SUFFIX}`;
}
