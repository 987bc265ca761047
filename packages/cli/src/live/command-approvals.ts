import { createHash } from 'node:crypto';

import type { ApprovalStore, CallToApprove } from '@mcpmux/core/guards';
import { HOST, maskArgs } from '@mcpmux/core';

import { shellWord } from '../terminal/shell-word.js';

const MAX_LABEL = 200;

/** Returns the digest by which a command that prints a value is known again: exactly these words. */
export function commandDigest(command: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['command of a value', ...command]))
    .digest('hex');
}

/** Returns a command as a person types it, without secrets. */
export function shownCommand(command: readonly string[]): string {
  return maskArgs(command).args.map(shellWord).join(' ');
}

/**
 * Returns all words of a command for the person who decides. Letters that look like others, and invisible characters, are
 * escapes.
 */
export function wholeCommand(command: readonly string[]): string {
  return JSON.stringify(command).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Returns a command in the form in which people approve calls. */
export function asCall(server: string, command: readonly string[]): CallToApprove {
  return {
    server,
    // The store has no arguments, so a person knows the command again by this name.
    tool: `cmd: ${shownCommand(command)}`.slice(0, MAX_LABEL),
    arguments: wholeCommand(command),
    client: undefined,
    principal: HOST.id,
    session: 0,
    scopes: ['once', 'always'],
  };
}

/** True if a person has permanently approved exactly this command. An unreadable store has no approvals. */
export async function isApproved(
  store: Pick<ApprovalStore, 'has'>,
  command: readonly string[],
): Promise<boolean> {
  try {
    return await store.has(commandDigest(command));
  } catch {
    return false;
  }
}
