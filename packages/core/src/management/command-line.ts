import type { ShownCommand } from '../upstream/shown-command.js';
import { escapeInvisible } from '../wire/invisible-text.js';

const PLAIN = /^[\w@%+=:,./[\]-]+$/;

/** A command with its arguments on one line, for a reader: each in quotes where its end would not be plain to see. */
export function commandLine({ command, args, url }: Pick<ShownCommand, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) return escapeInvisible(url);
  return [command, ...args].map(shownWord).join(' ');
}

function shownWord(word: string): string {
  return PLAIN.test(word) ? word : escapeInvisible(JSON.stringify(word));
}
