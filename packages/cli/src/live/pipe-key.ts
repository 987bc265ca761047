import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { writeAtomically } from '../files/atomic-write.js';
import { sendAndReadLine } from './open-connection.js';
import { openingLine, proofLine, parseProof } from './opening.js';
import { instanceFolder, type FolderContext } from './instance-folder.js';

const PROOF_TIMEOUT_MS = 5000;
const KEY_BYTES = 32;

/**
 * Creates the key with which this user's instances authenticate, unless it exists. Windows needs the key, because any
 * user there can list pipe names and create a pipe with an unused name. Only this user can read the key's folder.
 */
export function ensureKey(folder: string): void {
  const file = keyFile(folder);
  if (!existsSync(file)) writeAtomically(file, randomBytes(KEY_BYTES).toString('hex'));
}

/** Returns an instance's response to a challenge, with its line end. Without a key file, it contains no proof. */
export function responseToChallenge(folder: string, nonce: string): string {
  return proofLine(computeProof(folder, nonce)?.toString('hex'));
}

/**
 * Requests proof that the process at the other end of a pipe is an instance of this user. On systems other than
 * Windows, resolves to `proved` without a request, because the socket is in a private folder.
 *
 * @returns `silent` if no response arrives in time, or `absent` if the connection ends without one. The connection
 *   stays open only for `proved`.
 * @throws Error if the response contains no valid proof. The connection is then closed.
 */
export async function requestProof(
  connection: Socket,
  context: FolderContext,
): Promise<'proved' | 'silent' | 'absent'> {
  if (context.platform !== 'win32') return 'proved';
  const nonce = randomBytes(KEY_BYTES).toString('hex');
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    connection.destroy();
  }, PROOF_TIMEOUT_MS);
  const line = await sendAndReadLine(connection, `${openingLine({ for: 'proof', nonce })}\n`);
  clearTimeout(timer);
  if (isTimedOut) return 'silent';
  const proof = parseProof(line.toString());
  const expected = computeProof(instanceFolder(context), nonce);
  if (proof !== undefined && expected !== undefined && isEqual(Buffer.from(proof, 'hex'), expected))
    return 'proved';
  connection.destroy();
  if (line.length === 0) return 'absent';
  throw new Error(
    'a program that is no mcpmux of this user has taken its named pipe. End it, or do not use --shared.',
  );
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function computeProof(folder: string, nonce: string): Buffer | undefined {
  const file = keyFile(folder);
  return existsSync(file) ? createHmac('sha256', readFileSync(file)).update(nonce).digest() : undefined;
}

function keyFile(folder: string): string {
  return join(folder, 'pipe.key');
}
