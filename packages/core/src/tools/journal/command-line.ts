import { escapeInvisible } from '@mcpmux/kit';
import type { RedactedCommand } from '../../server/config/redact-command.js';

const PLAIN = /^[\w@%+=:,./[\]-]+$/;

/** Returns a command with its arguments on one line for a reader. A word is quoted if its end would be unclear. */
export function commandLine({
  command,
  args,
  url,
}: Pick<RedactedCommand, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) return escapeInvisible(url);
  return [command, ...args].map(shownWord).join(' ');
}

/** Quotes a word of a command if it would be unclear where the word ends. */
export function shownWord(word: string): string {
  return PLAIN.test(word) ? word : escapeInvisible(JSON.stringify(word));
}
