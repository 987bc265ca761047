import { createHash } from 'node:crypto';

import type { ApprovalStore, CallToApprove } from '@mcpmux/core/guards';
import { HOST, maskArgs } from '@mcpmux/core';

import { shellWord } from '../terminal/shell-word.js';

const MAX_TOOL_LENGTH = 200;

/** Returns the digest under which the approval of a command is stored. */
export function commandDigest(command: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify(['command of a value', ...command]))
    .digest('hex');
}

/** Formats a command as a shell command line, with secrets masked. */
export function maskedCommand(command: readonly string[]): string {
  return maskArgs(command).args.map(shellWord).join(' ');
}

/** Formats a command for approval. Escapes non-ASCII characters, which may be invisible or look like other letters. */
export function escapedCommand(command: readonly string[]): string {
  return JSON.stringify(command).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Represents a command as a tool call, so that a person can approve it like one. */
export function asCall(server: string, command: readonly string[]): CallToApprove {
  return {
    server,
    // The name contains the command, because the store does not save arguments.
    tool: `cmd: ${maskedCommand(command)}`.slice(0, MAX_TOOL_LENGTH),
    arguments: escapedCommand(command),
    client: undefined,
    principal: HOST.id,
    session: 0,
    scopes: ['once', 'always'],
  };
}

/** True if a person has permanently approved exactly this command. False if the store cannot be read. */
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
