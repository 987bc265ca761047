import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { expect, it } from 'vitest';

import { connectInstance } from './instances.js';

it('an instance that accepts connections and never answers counts as one that cannot be reached', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mcpmux-silent-'));
  const socket =
    process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}` : join(folder, 'silent.sock');
  const server = createServer((connection) => connection.on('error', () => undefined));
  await once(server.listen(socket), 'listening');
  const instance = { id: 'a', pid: process.pid, socket, version: '1', started: 0, cwd: '/' };
  await expect(connectInstance(instance)).resolves.toBeUndefined();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
