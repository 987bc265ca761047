import { escapeInvisible } from '@mcpmux/kit';
import type { RedactedCommand } from '../../server/config/redact-command.js';

const PLAIN = /^[\w@%+=:,./[\]-]+$/;

/** A command with its arguments on one line, for a reader: each in quotes where its end would not be plain to see. */
export function commandLine({
  command,
  args,
  url,
}: Pick<RedactedCommand, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) return escapeInvisible(url);
  return [command, ...args].map(shownWord).join(' ');
}

/** A word of a command, in quotes where its end would not be plain to see. */
export function shownWord(word: string): string {
  return PLAIN.test(word) ? word : escapeInvisible(JSON.stringify(word));
}
