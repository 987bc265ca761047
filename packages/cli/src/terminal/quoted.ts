/** A word of a command line, in quotes where it would not be read as one word. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
