import { literalText } from '@mcpmux/config';

/** The place of a variable in a text of a registry. */
export const VARIABLE = /\{([\w.-]+)\}/g;
/** Stands around the number of a value until the text of the registry is literal. */
const MARK = '\0';
const MARKED = /\0(\d+)\0/g;

/** The value of a variable: of the registry, or given by a person. */
export type FoundValue = { readonly fixed: string } | { readonly given: string };

/**
 * A text of a registry with its variables replaced. The text is data of a stranger: no `$` of it refers to a variable, a file
 * or a secret of the user. A value that was given may.
 *
 * @param valueOf the value of a variable; undefined for one that the registry does not have, which stays
 */
export function filledText(text: string, valueOf: (name: string) => FoundValue | undefined): string {
  const values: string[] = [];
  const template = withoutMarks(text).replaceAll(VARIABLE, (whole, name: string) => {
    const found = valueOf(name);
    if (found === undefined) return whole;
    if ('fixed' in found) return withoutMarks(found.fixed);
    values.push(found.given);
    return `${MARK}${values.length - 1}${MARK}`;
  });
  // The brace that closes a placeholder may be in a value that was given.
  const literal = values.length === 0 ? literalText(template) : template.replaceAll('${', () => '$${');
  return literal.replaceAll(MARKED, (_, index: string) => values[Number(index)] ?? '');
}

function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}
