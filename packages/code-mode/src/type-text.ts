const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const MAX_COMMENT_LENGTH = 200;

/** Formats a property name for use in a TypeScript type. Quotes it unless it is a valid identifier. */
export function propertyName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** Returns a comment line with the start of a description, or no line if the description is empty or not a string. */
export function commentLines(description: unknown): readonly string[] {
  if (typeof description !== 'string') return [];
  const words = description
    .slice(0, MAX_COMMENT_LENGTH * 2)
    .split(/\s+/)
    .join(' ')
    .trim();
  if (words === '') return [];
  const short = words.length <= MAX_COMMENT_LENGTH ? words : `${words.slice(0, MAX_COMMENT_LENGTH - 1)}…`;
  return [`/** ${short.replaceAll('*/', '* /')} */`];
}
