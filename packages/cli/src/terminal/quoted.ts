/** Quotes a word of a command line, unless it is clearly a single word. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
