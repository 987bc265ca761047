const PREFIX = '=?base64?';
const SUFFIX = '?=';
/** Visible characters of ASCII, with blanks between them. */
const PLAIN = /^[\u0021-\u007E](?:[\t\u0020-\u007E]*[\u0021-\u007E])?$/;

/** A text as the value of a header: as it is, or in Base64 where a header cannot carry it, or would be taken for Base64. */
export function headerValue(text: string): string {
  const isMarked = text.startsWith(PREFIX) && text.endsWith(SUFFIX);
  if (PLAIN.test(text) && !isMarked) return text;
  return `${PREFIX}${Buffer.from(text).toString('base64')}${SUFFIX}`;
}
