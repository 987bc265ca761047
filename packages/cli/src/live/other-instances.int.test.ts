import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, expect, it } from 'vitest';

import type { Announcement } from './announcement.js';
import { OtherInstances } from './other-instances.js';

let folder = '';
const servers: Server[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-others-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

function directory(): OtherInstances {
  const environment = { MCPMUX_RUNTIME_DIR: folder };
  return new OtherInstances({ environment, platform: process.platform, temporaryFolder: folder, user: 0 });
}

function announce(id: string, pid: number): Announcement {
  const socket =
    process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}-${id}` : join(folder, `${id}.sock`);
  const announcement = { id, pid, socket, version: '1', started: 0, cwd: '/srv/api' };
  writeFileSync(join(folder, `${id}.json`), JSON.stringify(announcement));
  return announcement;
}

async function listen({ socket }: Announcement): Promise<void> {
  const server = createServer((connection) => {
    // Whoever only looks whether anybody listens reads nothing.
    connection.on('error', () => undefined);
    connection.end('hello');
  });
  servers.push(server);
  server.listen(socket);
  await once(server, 'listening');
}

// The parent of a test's process runs for as long as the test does.
const OTHER = process.ppid;

it('H1: lists the instances that listen, and not this process', async () => {
  const other = announce('a', OTHER);
  announce('self', process.pid);
  await listen(other);
  const [instance, ...more] = await directory().list();
  expect(instance).toEqual({
    id: 'a',
    name: 'api',
    pid: OTHER,
    started: '1970-01-01T00:00:00.000Z',
    root: '/srv/api',
    config: undefined,
  });
  expect(more).toEqual([]);
  if (instance === undefined) return;
  const { input } = await directory().open(instance);
  expect((await input.toArray()).join('')).toBe('hello');
});

it('H1: an instance that died is not listed: by its process, or by its socket where another has the process id', async () => {
  announce('dead', 2 ** 30);
  announce('reused', OTHER);
  await expect(directory().list()).resolves.toEqual([]);
  expect(readdirSync(folder)).toEqual(['reused.json']);
});

it('H4: an instance that has ended cannot be opened, and the error says which', async () => {
  const gone = { id: 'b', name: 'api', pid: OTHER, started: '', root: '/' };
  await expect(directory().open(gone)).rejects.toThrow(`the instance b (process ${OTHER}) has ended`);
  announce('b', OTHER);
  await expect(directory().open(gone)).rejects.toThrow(`process ${OTHER} cannot be reached`);
});
