import { z, type Schema } from './zod.js';
import { didYouMean } from './suggest.js';

/** Any string. */
export const text = z.string({ error: 'expected a string in double quotes' });
/** A nonempty string. */
export const nonEmpty = z.string().check(z.minLength(1, { error: 'expected a string that is not empty' }));
/** A boolean. */
export const flag = z.boolean({ error: 'expected true or false' });

/** Returns the schema of an optional setting, with a description for editors. */
export function optional<One extends Schema>(schema: One, description: string) {
  return z.optional(schema).check(z.describe(description));
}

/** Returns a function that writes the error message for unknown keys, or for a value that is not an object. */
export function unknownKeys(what: string, known: readonly string[] = []) {
  return (issue: { readonly code?: string | undefined; readonly keys?: readonly string[] }): string => {
    if (issue.code !== 'unrecognized_keys') return 'expected an object';
    const { keys = [] } = issue;
    return `${what} has no such setting: ${keys.join(', ')}${didYouMean(keys[0] ?? '', known).replace(/^ /, '. ')}`;
  };
}
