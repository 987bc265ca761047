import type { Socket } from 'node:net';

import { controlRequest, type Challenge, type ControlRequest } from './control-line.js';

/** The beginning of a connection to the socket of an instance. */
export type Beginning =
  /** `rest`: the bytes after the command. They belong to the session if the command begins one. */
  | { readonly kind: 'command'; readonly request: Exclude<ControlRequest, Challenge>; readonly rest?: Buffer }
  /** Another first line follows the response. */
  | { readonly kind: 'challenge'; readonly nonce: string; readonly rest: Buffer }
  /** The bytes belong to the session. */
  | { readonly kind: 'session'; readonly bytes: Buffer }
  | { readonly kind: 'too-long' };

/** The purpose of a connection, after its challenges. */
export type Purpose = Exclude<Beginning, { readonly kind: 'challenge' }>;

/**
 * The limit for a command, in bytes. A server's name can make a command long, and so can the servers that a window had.
 */
export const MAX_COMMAND = 1024 * 1024;

/** The largest number of connections that have not sent their first line. One more connection closes the oldest. */
const MAX_WAITING = 64;
const PREFIX = Buffer.from('{"mcpmux":');
const NEWLINE = 0x0a;

/** The connections that have not sent their first line yet. Their number and their bytes are bounded. */
export class FirstLines {
  private readonly waiting = new Set<Socket>();

  /** @param proofOf returns the response to a challenge */
  constructor(private readonly proofOf: (nonce: string) => string) {}

  get size(): number {
    return this.waiting.size;
  }

  /** Calls `begin` once, as soon as the kind of the connection is known. */
  add(connection: Socket, begin: (beginning: Purpose) => void): void {
    const { waiting } = this;
    waiting.add(connection);
    connection.once('close', () => waiting.delete(connection));
    const [oldest] = waiting;
    if (waiting.size > MAX_WAITING) oldest?.destroy();
    let bytes: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      let beginning = beginningOf(bytes);
      for (; beginning?.kind === 'challenge'; beginning = beginningOf(bytes)) {
        connection.write(this.proofOf(beginning.nonce));
        bytes = beginning.rest;
      }
      if (beginning === undefined) return;
      connection.off('data', take);
      waiting.delete(connection);
      begin(beginning);
    };
    connection.on('data', take);
  }
}

/** Returns the beginning of a connection that has sent these bytes. Undefined when more bytes are needed. */
export function beginningOf(bytes: Buffer): Beginning | undefined {
  const compared = Math.min(bytes.length, PREFIX.length);
  if (!bytes.subarray(0, compared).equals(PREFIX.subarray(0, compared))) return { kind: 'session', bytes };
  const end = bytes.indexOf(NEWLINE);
  if (end > MAX_COMMAND || (end === -1 && bytes.length > MAX_COMMAND)) return { kind: 'too-long' };
  if (end === -1) return undefined;
  const request = controlRequest(bytes.toString('utf8', 0, end));
  return request === undefined ? { kind: 'session', bytes } : commanded(request, bytes.subarray(end + 1));
}

function commanded(request: ControlRequest, rest: Buffer): Beginning {
  if (request.command === 'prove') return { kind: 'challenge', nonce: request.nonce, rest };
  return { kind: 'command', request, ...(rest.length > 0 && { rest }) };
}
