import { escapeInvisible } from '@mcpmux/kit';
import type { Upstream } from '../../server/upstream.js';
import type { RedactedCommand } from '../../server/config/redact-command.js';

/** A completed or rejected operation on a server. Contains no secret values. */
export interface AuditRecord {
  /**
   * `add`, `remove` and `reload` are recorded at the decision. `spawn` is recorded for every server process that starts
   * or fails to start. `change`: tools differ from their approved state. `approve`: the current tools become the
   * approved tools. `persist`: the server is stored for later starts. `forget`: the server is deleted from the store.
   */
  readonly action: 'add' | 'remove' | 'reload' | 'spawn' | 'change' | 'approve' | 'persist' | 'forget';
  readonly server: string;
  /** The layer of a server that belongs to a workspace or session. Absent for a server that all clients share. */
  readonly layer?: string;
  /** The command line with secrets removed. */
  readonly command: string;
  /** `refused`: the policy rejected it, or changed tools are blocked. `failed`: an error prevented it. */
  readonly outcome: 'done' | 'refused' | 'failed';
  /**
   * The rule or cause behind the outcome: a policy rule, `host`, `restart`, `start failed`, `registry`, `pin warn`, …
   */
  readonly rule: string;
  /** The number of the client's session, starting at 1. Absent if mcpmux or its host performed the operation. */
  readonly session?: number;
  /** The started process's id. */
  readonly pid?: number;
  /** The names of the changed tools, up to a maximum number. */
  readonly tools?: readonly string[];
}

/** Receives audit records. */
export type Audit = (record: AuditRecord) => void;

/** Returns the fields that every record about a registered server contains. */
export function auditFieldsOf(upstream: Upstream): Pick<AuditRecord, 'server' | 'layer' | 'command'> {
  const { name: server, layer, redactedCommand } = upstream;
  return { server, ...(!layer.isShared && { layer: layer.id }), command: commandLine(redactedCommand) };
}

const UNQUOTED_WORD = /^[\w@%+=:,./[\]-]+$/;

/** Returns a server's URL, or its command and arguments on one line, for people to read. Quotes unusual words. */
export function commandLine({
  command,
  args,
  url,
}: Pick<RedactedCommand, 'command' | 'args' | 'url'>): string {
  if (url !== undefined) return escapeInvisible(url);
  return [command, ...args].map(quoteIfUnclear).join(' ');
}

/** Quotes a word of a command line if it contains a space or another unusual character. */
export function quoteIfUnclear(word: string): string {
  return UNQUOTED_WORD.test(word) ? word : escapeInvisible(JSON.stringify(word));
}
