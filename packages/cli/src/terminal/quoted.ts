/** Puts a word of a command line in quotes if it would not be read as one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
