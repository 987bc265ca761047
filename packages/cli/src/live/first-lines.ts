import type { Socket } from 'node:net';

import { OPENING_START } from './opening.js';
import { parseOpening, type Opening } from './read-opening.js';

/** The parsed beginning of a connection to an instance's socket. */
export type ConnectionBeginning =
  /** An opening. `rest` contains the bytes after it. */
  | { readonly kind: 'opening'; readonly opening: Opening; readonly rest: Buffer }
  /** A challenge. After the response, the peer sends another first line. */
  | { readonly kind: 'challenge'; readonly nonce: string; readonly rest: Buffer }
  /** An MCP session without an opening. */
  | { readonly kind: 'session'; readonly bytes: Buffer }
  /** An opening that is too long or invalid. */
  | { readonly kind: 'malformed' };

/** The first line of a connection that is not a challenge. It determines how the connection is served. */
export type Purpose = Exclude<ConnectionBeginning, { readonly kind: 'challenge' }>;

/** The maximum length of an opening, in bytes. A window's opening can be long, because it may list servers. */
export const MAX_OPENING_BYTES = 1024 * 1024;

/** The maximum number of connections waiting to send a first line. Beyond it, the oldest of them is closed. */
const MAX_WAITING_CONNECTIONS = 64;
const NEWLINE = 0x0a;

/** Reads the first lines of connections. Limits how many connections wait, and how many bytes each one buffers. */
export class FirstLines {
  private readonly waitingConnections = new Set<Socket>();

  /** @param proofOf returns the response to a challenge */
  constructor(private readonly proofOf: (nonce: string) => string) {}

  get size(): number {
    return this.waitingConnections.size;
  }

  /** Responds to challenges, then calls `begin` once, as soon as the connection's purpose is known. */
  readFirstLine(connection: Socket, begin: (beginning: Purpose) => void): void {
    const { waitingConnections } = this;
    waitingConnections.add(connection);
    connection.once('close', () => waitingConnections.delete(connection));
    const [oldest] = waitingConnections;
    if (waitingConnections.size > MAX_WAITING_CONNECTIONS) oldest?.destroy();
    let bytes: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      let beginning = parseBeginning(bytes);
      for (; beginning?.kind === 'challenge'; beginning = parseBeginning(bytes)) {
        connection.write(this.proofOf(beginning.nonce));
        bytes = beginning.rest;
      }
      if (beginning === undefined) return;
      connection.off('data', onData);
      waitingConnections.delete(connection);
      begin(beginning);
    };
    connection.on('data', onData);
  }
}

/** Parses the beginning of a connection. Returns undefined if more bytes are needed. */
export function parseBeginning(bytes: Buffer): ConnectionBeginning | undefined {
  const comparedBytes = Math.min(bytes.length, OPENING_START.length);
  if (!bytes.subarray(0, comparedBytes).equals(OPENING_START.subarray(0, comparedBytes)))
    return { kind: 'session', bytes };
  const end = bytes.indexOf(NEWLINE);
  if (end > MAX_OPENING_BYTES || (end === -1 && bytes.length > MAX_OPENING_BYTES))
    return { kind: 'malformed' };
  if (end === -1) return undefined;
  const opening = parseOpening(bytes.toString('utf8', 0, end));
  if (opening === undefined) return { kind: 'malformed' };
  const rest = bytes.subarray(end + 1);
  return opening.for === 'proof'
    ? { kind: 'challenge', nonce: opening.nonce, rest }
    : { kind: 'opening', opening, rest };
}
