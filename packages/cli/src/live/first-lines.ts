import type { Socket } from 'node:net';

import { OPENING_START } from './opening.js';
import { readOpening, type Opening } from './read-opening.js';

/** The beginning of a connection to the socket of an instance. */
export type Beginning =
  /** `rest`: the bytes of the session after the opening. */
  | { readonly kind: 'opening'; readonly opening: Opening; readonly rest: Buffer }
  /** Another first line follows the response. */
  | { readonly kind: 'challenge'; readonly nonce: string; readonly rest: Buffer }
  /** The bytes belong to a session without an opening. */
  | { readonly kind: 'session'; readonly bytes: Buffer }
  /** The opening is too long, or cannot be read. */
  | { readonly kind: 'malformed' };

/** The purpose of a connection, after its challenges. */
export type Purpose = Exclude<Beginning, { readonly kind: 'challenge' }>;

/** The limit for an opening, in bytes. The servers that a window had can make an opening long. */
export const MAX_OPENING = 1024 * 1024;

/** The largest number of connections that have not sent their first line. One more connection closes the oldest. */
const MAX_WAITING = 64;
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
  const compared = Math.min(bytes.length, OPENING_START.length);
  if (!bytes.subarray(0, compared).equals(OPENING_START.subarray(0, compared)))
    return { kind: 'session', bytes };
  const end = bytes.indexOf(NEWLINE);
  if (end > MAX_OPENING || (end === -1 && bytes.length > MAX_OPENING)) return { kind: 'malformed' };
  if (end === -1) return undefined;
  const opening = readOpening(bytes.toString('utf8', 0, end));
  if (opening === undefined) return { kind: 'malformed' };
  const rest = bytes.subarray(end + 1);
  return opening.for === 'proof'
    ? { kind: 'challenge', nonce: opening.nonce, rest }
    : { kind: 'opening', opening, rest };
}
