/** An expression of a URI template (RFC 6570): `{id}`, `{+path}`, `{?q,page}`. */
const EXPRESSION = /\{[^{}]*\}/;

/**
 * True if a template can produce a URI. Every expression matches any string, because servers accept different
 * characters, and the server that gets the request decides.
 *
 * The template is not converted to a regular expression, because a server could send one that takes exponential time.
 */
export function mayMatchTemplate(template: string, uri: string): boolean {
  const [head = '', ...literals] = template.split(EXPRESSION);
  if (literals.length === 0) return template === uri;
  const tail = literals.pop() ?? '';
  if (uri.length < head.length + tail.length || !uri.startsWith(head) || !uri.endsWith(tail)) return false;
  let at = head.length;
  const end = uri.length - tail.length;
  for (const literal of literals) {
    const found = uri.indexOf(literal, at);
    if (found < 0 || found + literal.length > end) return false;
    at = found + literal.length;
  }
  return true;
}

/**
 * Returns the number of literal characters in a template. Of two matching templates, the longer one is more specific.
 */
export function literalLength(template: string): number {
  return template.split(EXPRESSION).join('').length;
}
