import { literalText } from '@mcpmux/config';

/**
 * Joins the parts of an untrusted text with the values that stand in place of some of them. The parts without a value
 * refer to no variable, file or secret of the person, and no placeholder begins in one part and ends in another.
 *
 * @param values the value of each part, undefined for text that stays
 */
export function joinedText(parts: readonly string[], values: readonly (string | undefined)[]): string {
  const text = parts.reduce((before, part, index) => {
    const next = values[index] ?? part.replaceAll('${', () => '$${');
    return before.endsWith('$') && next.startsWith('{') ? `${before}$${next}` : before + next;
  }, '');
  // A whole text such as $TOKEN is a variable. Only a person may give one, as the whole value.
  return values.includes(text) || text.includes('${') ? text : literalText(text);
}
