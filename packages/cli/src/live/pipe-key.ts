import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';

import { writeAtomically } from '../files/atomic-write.js';
import { responseTo } from './open-connection.js';
import { openingLine, proofLine, readProof } from './opening.js';
import { instanceFolder, type InstancePlaces } from './instance-folder.js';

/** The time limit for a proof. */
const PROVED_WITHIN_MS = 5000;
const KEY_BYTES = 32;

/**
 * Creates the key with which the instances of this user prove what they are, unless it exists. On Windows any user can
 * list the names of pipes and take one that is free. Only this user reads the private folder, where the key is.
 */
export function makeKey(folder: string): void {
  const file = fileOf(folder);
  if (!existsSync(file)) writeAtomically(file, randomBytes(KEY_BYTES).toString('hex'));
}

/** Returns the response of an instance to a challenge, with its line end. Without a key it proves nothing. */
export function responseToChallenge(folder: string, nonce: string): string {
  return proofLine(proofOf(folder, nonce)?.toString('hex'));
}

/**
 * Resolves when the process at the other end of a pipe has proved that it is an instance of this user. On other systems
 * nothing is sent, because the socket is in the private folder.
 *
 * @throws Error if it has not; the connection is closed then
 */
export async function requireProof(connection: Socket, places: InstancePlaces): Promise<void> {
  if (places.platform !== 'win32') return;
  const nonce = randomBytes(KEY_BYTES).toString('hex');
  const timer = setTimeout(() => connection.destroy(), PROVED_WITHIN_MS);
  const line = await responseTo(connection, `${openingLine({ for: 'proof', nonce })}\n`);
  clearTimeout(timer);
  const proof = readProof(line.toString());
  const expected = proofOf(instanceFolder(places), nonce);
  if (proof !== undefined && expected !== undefined && isEqual(Buffer.from(proof, 'hex'), expected)) return;
  connection.destroy();
  throw new Error(
    'a program that is no mcpmux of this user has taken its named pipe. End it, or do not use --shared.',
  );
}

function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function proofOf(folder: string, nonce: string): Buffer | undefined {
  const file = fileOf(folder);
  return existsSync(file) ? createHmac('sha256', readFileSync(file)).update(nonce).digest() : undefined;
}

function fileOf(folder: string): string {
  return join(folder, 'pipe.key');
}
