import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pipePair } from '@mcpmux/testing/socket-pair';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it, vi } from 'vitest';

import { FirstLines, type Purpose } from './first-lines.js';
import type { InstancePlaces } from './instance-folder.js';
import { openingLine } from './opening.js';
import { makeKey, proofFrom, responseToChallenge } from './pipe-key.js';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

function places(folder: string, platform: NodeJS.Platform = 'win32'): InstancePlaces {
  return { platform, environment: { MCPMUX_RUNTIME_DIR: folder }, temporaryFolder: folder, user: undefined };
}

/** A client, and an instance that has the key of `folder`. */
async function connected(folder: string) {
  const { near, far, ...pair } = await pipePair();
  const begun: Purpose[] = [];
  new FirstLines((nonce) => responseToChallenge(folder, nonce)).add(far, (beginning) =>
    begun.push(beginning),
  );
  return { ...pair, near, far, begun };
}

it('an instance that has the key of the private folder gets the session after its proof', async () => {
  await using folder = await temporaryFolder();
  makeKey(folder.path);
  await using pair = await connected(folder.path);
  await expect(proofFrom(pair.near, places(folder.path))).resolves.toBe('proved');
  pair.near.write(PING);
  await expect.poll(() => pair.begun).toEqual([{ kind: 'session', bytes: Buffer.from(PING) }]);
});

it('a session that follows its challenge at once begins behind it', async () => {
  await using folder = await temporaryFolder();
  await using pair = await connected(folder.path);
  const challenge = `${openingLine({ for: 'proof', nonce: 'a' })}\n`;
  pair.near.write(challenge + challenge + PING);
  await expect.poll(() => pair.begun).toEqual([{ kind: 'session', bytes: Buffer.from(PING) }]);
});

it.each(['another key', 'no key'])('a program that has %s gets nothing but the challenge', async (key) => {
  await using own = await temporaryFolder();
  await using other = await temporaryFolder();
  makeKey(own.path);
  if (key === 'another key') makeKey(other.path);
  await using pair = await connected(other.path);
  await expect(proofFrom(pair.near, places(own.path))).rejects.toThrow('no mcpmux of this user');
  expect(pair.near.destroyed).toBe(true);
  expect(pair.begun).toEqual([]);
});

it('a program that takes the challenge and answers nothing is silent', async () => {
  await using folder = await temporaryFolder();
  makeKey(folder.path);
  await using pair = await pipePair();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const proved = proofFrom(pair.near, places(folder.path));
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  await expect(proved).resolves.toBe('silent');
  expect(pair.near.destroyed).toBe(true);
});

it('an instance that ends before its proof is absent', async () => {
  await using folder = await temporaryFolder();
  makeKey(folder.path);
  await using pair = await pipePair();
  pair.far.resume().end();
  await expect(proofFrom(pair.near, places(folder.path))).resolves.toBe('absent');
});

it('an answer without an end is given up', async () => {
  await using folder = await temporaryFolder();
  makeKey(folder.path);
  await using pair = await pipePair();
  pair.far.on('error', () => undefined).write('x'.repeat(2 * 1024 * 1024));
  await expect(proofFrom(pair.near, places(folder.path))).rejects.toThrow('no mcpmux of this user');
});

it('nobody proves anything without a key, not even by an empty one', async () => {
  await using folder = await temporaryFolder();
  await using pair = await pipePair();
  pair.far.write('{"jsonrpc":"2.0","id":0,"result":{"proof":""}}\n');
  await expect(proofFrom(pair.near, places(folder.path))).rejects.toThrow('no mcpmux of this user');
});

it('a socket of another system is in the private folder, and nothing is sent on it', async () => {
  await using folder = await temporaryFolder();
  await using pair = await pipePair();
  await expect(proofFrom(pair.near, places(folder.path, 'linux'))).resolves.toBe('proved');
  expect(pair.near.bytesWritten).toBe(0);
});

it('the key stays as long as the folder', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'pipe.key');
  makeKey(folder.path);
  const key = readFileSync(file, 'utf8');
  expect(key).toMatch(/^[\da-f]{64}$/);
  makeKey(folder.path);
  expect(readFileSync(file, 'utf8')).toBe(key);
});
