import { literalText } from '@mcpmux/config';

/** Matches a variable in a registry's text. */
export const VARIABLE = /\{([\w.-]+)\}/g;
/** Surrounds the index of a value until the registry's text is literal. */
const MARK = '\0';
const MARKED = /\0(\d+)\0/g;

/** The value of a variable, which is fixed by the registry or entered by a person. */
export type FoundValue = { readonly fixed: string } | { readonly given: string };

/**
 * Returns a registry's text with its variables replaced. The text is untrusted, so a `$` in it never refers to the
 * user's variables, files or secrets. An entered value may refer to them.
 *
 * @param valueOf returns the value of a variable. A variable for which it returns undefined stays unchanged.
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
  // An entered value may contain the brace that closes a placeholder.
  const literal = values.length === 0 ? literalText(template) : template.replaceAll('${', () => '$${');
  return literal.replaceAll(MARKED, (_, index: string) => values[Number(index)] ?? '');
}

function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}
