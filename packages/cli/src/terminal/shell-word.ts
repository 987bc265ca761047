/**
 * Returns a word as a person types it in a shell. Quotes the word if the shell would split it or replace parts of it.
 */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
