import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { accepts, freePort } from './http-peer.js';

const FIRST_GIVEN_AWAY = 32_768;

test('a free port is none that a system gives to whoever asks for any, and is listened on by nobody', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, freePort));
  expect(Math.max(...ports)).toBeLessThan(FIRST_GIVEN_AWAY);
  expect(await Promise.all(ports.map(accepts))).toEqual(ports.map(() => false));
});

test('a port accepts as soon as somebody listens on it', async () => {
  const server = createServer();
  await once(server.listen(await freePort(), '127.0.0.1'), 'listening');
  expect(await accepts((server.address() as AddressInfo).port)).toBe(true);
  server.close();
});
