import { literalText } from '@mcpmux/config';

/**
 * Joins the parts of an untrusted text after replacing some of them with values. Escapes the other parts, so that they
 * cannot refer to the user's variables, files or secrets. A placeholder cannot span several parts.
 *
 * @param values the replacement for each part, or undefined for a part that is not replaced
 */
export function joinedText(parts: readonly string[], values: readonly (string | undefined)[]): string {
  const text = parts.reduce((before, part, index) => {
    const next = values[index] ?? part.replaceAll('${', () => '$${');
    return before.endsWith('$') && next.startsWith('{') ? `${before}$${next}` : before + next;
  }, '');
  // Text that is only `$TOKEN` refers to a variable, which is allowed only if the user entered it as the whole value.
  return values.includes(text) || text.includes('${') ? text : literalText(text);
}
