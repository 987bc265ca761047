import { messageOf } from '@mcpmux/core';

import { CommandError } from '../terminal/command-error.js';

/** Formats an error for the page: the message, one line for each detail, and the next step. */
export function problemText(error: unknown): string {
  if (!(error instanceof CommandError)) return messageOf(error);
  const { message, details = [], next } = error.failure;
  return [message, ...details, ...(next === undefined ? [] : [`Next: ${next}`])].join('\n');
}
