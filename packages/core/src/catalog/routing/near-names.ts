/** Maximum number of names that are suggested for an unknown name. */
const MAX_NEAR_NAMES = 5;
/** Maximum length of a name. A longer string is not compared, because the comparison would delay all clients. */
const MAX_NAME = 1000;

/** Returns the names that a caller may have meant: the same letters in another case, or one contains the other. */
export function nearNames(name: string, known: readonly string[]): readonly string[] {
  if (name.length > MAX_NAME) return [];
  const wanted = fold(name);
  // Every string contains the empty string.
  if (wanted === '') return [];
  return known
    .filter((candidate) => {
      const text = fold(candidate);
      return text !== '' && (text.includes(wanted) || wanted.includes(text));
    })
    .slice(0, MAX_NEAR_NAMES);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}
