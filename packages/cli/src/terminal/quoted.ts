/** Quotes a command-line argument unless it clearly needs no quotes. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
