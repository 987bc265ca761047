/** Names offered for one that is unknown. */
const MAX_NEAR_NAMES = 5;
/** No name is longer. Other texts are compared with no name: all clients would wait. */
const MAX_NAME = 1000;

/** The names that a reader may have meant by `name`: same letters in another case, or one contains the other. */
export function nearNames(name: string, known: readonly string[]): readonly string[] {
  if (name.length > MAX_NAME) return [];
  const wanted = fold(name);
  // Every text contains the empty one.
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
