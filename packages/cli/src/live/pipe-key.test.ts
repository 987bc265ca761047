import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { openPipePair } from '@mcpmux/testing/socket-pair';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it, vi } from 'vitest';

import { FirstLines, type Purpose } from './first-lines.js';
import type { FolderContext } from './instance-folder.js';
import { openingLine } from './opening.js';
import { ensureKey, requestProof, responseToChallenge } from './pipe-key.js';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n';

function places(folder: string, platform: NodeJS.Platform = 'win32'): FolderContext {
  return { platform, environment: { MCPMUX_RUNTIME_DIR: folder }, temporaryFolder: folder, user: undefined };
}

/** A client, and an instance that has the key of `folder`. */
async function connected(folder: string) {
  const { clientEnd, serverEnd, ...pair } = await openPipePair();
  const begun: Purpose[] = [];
  new FirstLines((nonce) => responseToChallenge(folder, nonce)).readFirstLine(serverEnd, (beginning) =>
    begun.push(beginning),
  );
  return { ...pair, near: clientEnd, far: serverEnd, begun };
}

it('an instance that has the key of the private folder gets the session after its proof', async () => {
  await using folder = await temporaryFolder();
  ensureKey(folder.path);
  await using pair = await connected(folder.path);
  await expect(requestProof(pair.near, places(folder.path))).resolves.toBe('proved');
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
  ensureKey(own.path);
  if (key === 'another key') ensureKey(other.path);
  await using pair = await connected(other.path);
  await expect(requestProof(pair.near, places(own.path))).rejects.toThrow('no mcpmux of this user');
  expect(pair.near.destroyed).toBe(true);
  expect(pair.begun).toEqual([]);
});

it('a program that takes the challenge and answers nothing is silent', async () => {
  await using folder = await temporaryFolder();
  ensureKey(folder.path);
  await using pair = await openPipePair();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const proved = requestProof(pair.clientEnd, places(folder.path));
  vi.advanceTimersByTime(5000);
  vi.useRealTimers();
  await expect(proved).resolves.toBe('silent');
  expect(pair.clientEnd.destroyed).toBe(true);
});

it('an instance that ends before its proof is absent', async () => {
  await using folder = await temporaryFolder();
  ensureKey(folder.path);
  await using pair = await openPipePair();
  pair.serverEnd.resume().end();
  await expect(requestProof(pair.clientEnd, places(folder.path))).resolves.toBe('absent');
});

it('an answer without an end is given up', async () => {
  await using folder = await temporaryFolder();
  ensureKey(folder.path);
  await using pair = await openPipePair();
  pair.serverEnd.on('error', () => undefined).write('x'.repeat(2 * 1024 * 1024));
  await expect(requestProof(pair.clientEnd, places(folder.path))).rejects.toThrow('no mcpmux of this user');
});

it('nobody proves anything without a key, not even by an empty one', async () => {
  await using folder = await temporaryFolder();
  await using pair = await openPipePair();
  pair.serverEnd.write('{"jsonrpc":"2.0","id":0,"result":{"proof":""}}\n');
  await expect(requestProof(pair.clientEnd, places(folder.path))).rejects.toThrow('no mcpmux of this user');
});

it('a socket of another system is in the private folder, and nothing is sent on it', async () => {
  await using folder = await temporaryFolder();
  await using pair = await openPipePair();
  await expect(requestProof(pair.clientEnd, places(folder.path, 'linux'))).resolves.toBe('proved');
  expect(pair.clientEnd.bytesWritten).toBe(0);
});

it('the key stays as long as the folder', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'pipe.key');
  ensureKey(folder.path);
  const key = readFileSync(file, 'utf8');
  expect(key).toMatch(/^[\da-f]{64}$/);
  ensureKey(folder.path);
  expect(readFileSync(file, 'utf8')).toBe(key);
});
