import { literalText } from '@mcpmux/config';

import { joinedText } from './joined-text.js';

/** Matches a variable in text from the registry, such as `{name}`. */
export const VARIABLE_PATTERN = /\{([\w.-]+)\}/g;

/** The value of a variable, either fixed by the registry or entered by the user. */
export type VariableValue = { readonly fixed: string } | { readonly given: string };

/**
 * Replaces the variables in text from the registry. The text is untrusted, so a `$` in it never refers to the user's
 * variables, files or secrets. A value from the user may refer to them.
 *
 * @param valueOf returns the value of a variable, or undefined to leave the variable unchanged
 */
export function filledText(text: string, valueOf: (name: string) => VariableValue | undefined): string {
  const values: (string | undefined)[] = [];
  // The pattern has a capture group, so `split` alternates between text and variable names.
  const parts = text.split(VARIABLE_PATTERN).map((part, index) => {
    const variableValue = index % 2 === 0 ? { fixed: part } : (valueOf(part) ?? { fixed: `{${part}}` });
    values.push('given' in variableValue ? variableValue.given : undefined);
    return 'given' in variableValue ? '' : withoutNul(variableValue.fixed);
  });
  return values.every((value) => value === undefined)
    ? literalText(parts.join(''))
    : joinedText(parts, values);
}

/** Removes NUL characters, which arguments and environment variables cannot contain. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
