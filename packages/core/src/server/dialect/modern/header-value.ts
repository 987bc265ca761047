const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** Visible ASCII characters, with spaces and tabs between them. */
const PLAIN = /^[\u0021-\u007E](?:[\t\u0020-\u007E]*[\u0021-\u007E])?$/;

/**
 * Returns a text as a header value. The text is encoded in Base64 if a header cannot carry it, or if it looks like
 * Base64 already.
 */
export function headerValue(text: string): string {
  const isMarked = text.startsWith(PREFIX) && text.endsWith(SUFFIX);
  if (PLAIN.test(text) && !isMarked) return text;
  return `${PREFIX}${Buffer.from(text).toString('base64')}${SUFFIX}`;
}
