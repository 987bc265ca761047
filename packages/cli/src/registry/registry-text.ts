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
  if (values.length === 0) return literalText(template);
  // An entered value may contain the brace that closes a placeholder, or begin with the brace that opens one.
  const literal = template.replaceAll('${', () => '$${');
  const filled = literal.replaceAll(MARKED, (_, index: string, at: number) => {
    const value = values[Number(index)] ?? '';
    return value.startsWith('{') && literal[at - 1] === '$' ? `$${value}` : value;
  });
  // A whole text such as $TOKEN is a variable. Only a person may give one, as the whole value.
  return values.includes(filled) || filled.includes('${') ? filled : literalText(filled);
}

function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '');
}
