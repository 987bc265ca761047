/** An expression of a URI template (RFC 6570): `{id}`, `{+path}`, `{?q,page}`. */
const EXPRESSION = /\{[^{}]*\}/;

/**
 * True if a template may have produced a URI. Every expression counts as any text: servers accept different characters,
 * and the server that gets the request decides.
 *
 * No regular expression is made of the template: it comes from a server, and could be one that never ends.
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

/** How many characters of a template stand for themselves: of two that match, the one with more says more. */
export function literalLength(template: string): number {
  return template.split(EXPRESSION).join('').length;
}
