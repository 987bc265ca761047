/** Formats a command-line argument for display, in double quotes if it contains special characters. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(word) ? word : JSON.stringify(word);
}
