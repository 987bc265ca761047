import { literalText } from '@mcpmux/config';

/**
 * Joins the parts of an untrusted text after replacing some of them with values. Escapes the remaining parts, which
 * cannot refer to the user's variables, files or secrets. No placeholder can span several parts.
 *
 * @param values the replacement for each part, or undefined for text that remains
 */
export function joinedText(parts: readonly string[], values: readonly (string | undefined)[]): string {
  const text = parts.reduce((before, part, index) => {
    const next = values[index] ?? part.replaceAll('${', () => '$${');
    return before.endsWith('$') && next.startsWith('{') ? `${before}$${next}` : before + next;
  }, '');
  // A text that consists only of `$TOKEN` is a variable, which only the user may enter, as the whole value.
  return values.includes(text) || text.includes('${') ? text : literalText(text);
}
