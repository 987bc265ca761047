import { literalText } from '@mcpmux/config';

import { joinedText } from './joined-text.js';

/** Matches a variable in a registry's text. */
export const VARIABLE = /\{([\w.-]+)\}/g;

/** The value of a variable, which is fixed by the registry or entered by a person. */
export type FoundValue = { readonly fixed: string } | { readonly given: string };

/**
 * Returns a registry's text with its variables replaced. The text is untrusted, so a `$` in it never refers to the
 * user's variables, files or secrets. An entered value may refer to them.
 *
 * @param valueOf returns the value of a variable. A variable for which it returns undefined stays unchanged.
 */
export function filledText(text: string, valueOf: (name: string) => FoundValue | undefined): string {
  const values: (string | undefined)[] = [];
  // Every second part is the name of a variable.
  const parts = text.split(VARIABLE).map((part, index) => {
    const found = index % 2 === 0 ? { fixed: part } : (valueOf(part) ?? { fixed: `{${part}}` });
    values.push('given' in found ? found.given : undefined);
    return 'given' in found ? '' : withoutNul(found.fixed);
  });
  return values.every((value) => value === undefined)
    ? literalText(parts.join(''))
    : joinedText(parts, values);
}

/** No argument and no variable of a program can have this character. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
