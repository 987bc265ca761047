import { literalText } from '@mcpmux/config';

/**
 * Joins the parts of an untrusted text after replacing some of them with values. Escapes the remaining parts, so that
 * they cannot refer to the user's variables, files or secrets. No placeholder can span several parts.
 *
 * @param values the replacement for each part, or undefined for text that remains
 */
export function joinedText(parts: readonly string[], values: readonly (string | undefined)[]): string {
  const text = parts.reduce((before, part, index) => {
    const next = values[index] ?? part.replaceAll('${', () => '$${');
    return before.endsWith('$') && next.startsWith('{') ? `${before}$${next}` : before + next;
  }, '');
  // Text that consists only of `$TOKEN` refers to a variable. Only the user may enter such text, as the whole value.
  return values.includes(text) || text.includes('${') ? text : literalText(text);
}
