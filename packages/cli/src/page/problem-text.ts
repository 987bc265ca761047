import { messageOf } from '@mcpmux/core';

import { CommandError } from '../terminal/command-error.js';

/**
 * Returns the text of a failure for the user of the page: the message, the details with one line each, and the next
 * step.
 */
export function problemText(error: unknown): string {
  if (!(error instanceof CommandError)) return messageOf(error);
  const { message, details = [], next } = error.failure;
  return [message, ...details, ...(next === undefined ? [] : [`Next: ${next}`])].join('\n');
}
