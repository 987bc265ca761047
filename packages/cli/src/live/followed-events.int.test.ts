import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, createConnection, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMux, type Mux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import type { Announcement } from './announcement.js';
import { FollowedEvents } from './followed-events.js';
import { hostInstance, type InstanceHost } from './instance-host.js';

let folder = '';
let mux: Mux;
let host: InstanceHost;
let wire: Server;
const connections = new Set<Socket>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpmux-followed-'));
  vi.stubEnv('MCPMUX_RUNTIME_DIR', join(folder, 'run'));
  mux = createMux();
  host = await hostInstance({ mux, reloadConfig: () => Promise.resolve({}) });
  // A connection to the instance that the test can break.
  wire = createServer((near) => {
    const far = createConnection(host.announcement.socket);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
    connections.add(near);
  }).listen(join(folder, 'wire.sock'));
  await once(wire, 'listening');
});

afterEach(async () => {
  wire.close();
  for (const connection of connections) connection.destroy();
  host.close();
  await mux.close();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

function broken(): void {
  for (const connection of connections) connection.destroy();
  connections.clear();
}

interface Event {
  readonly type: string;
  readonly server?: string;
  readonly sequence?: number;
}

async function next(events: AsyncIterator<unknown>): Promise<Event> {
  const { value } = (await events.next()) as { readonly value: Event };
  return value;
}

it('events that happen while the connection is broken are read after it, each once', async () => {
  const instance: Announcement = { ...host.announcement, socket: join(folder, 'wire.sock') };
  using followed = await FollowedEvents.open(instance);
  const events = followed[Symbol.asyncIterator]();
  await mux.addServer('one', fixtureCommand('echo'));
  const read: Event[] = [];
  const until = async (type: string, server: string): Promise<void> => {
    for (;;) {
      const event = await next(events);
      read.push(event);
      if (event.type === type && event.server === server) return;
    }
  };
  await until('server:added', 'one');
  broken();
  await mux.removeServer('one');
  await mux.addServer('two', fixtureCommand('echo'));
  await until('server:added', 'two');
  expect(read.map(({ type }) => type)).toContain('server:removed');
  expect(read.map(({ type }) => type)).not.toContain('events:missed');
  const numbers = read.flatMap(({ sequence }) => sequence ?? []);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

it('they end when the instance does', async () => {
  using followed = await FollowedEvents.open(host.announcement);
  host.close();
  const read: unknown[] = [];
  for await (const event of followed) read.push(event);
  expect(read.length).toBeLessThan(2);
});

it('they end where every connection is refused', async () => {
  const refusing = createServer((connection) => connection.destroy()).listen(join(folder, 'refusing.sock'));
  await once(refusing, 'listening');
  using followed = await FollowedEvents.open({ ...host.announcement, socket: join(folder, 'refusing.sock') });
  for await (const event of followed) expect(event).toBe('nothing');
  refusing.close();
});

it('whoever has left gets no further event and holds no connection', async () => {
  const followed = await FollowedEvents.open(host.announcement);
  const events = followed[Symbol.asyncIterator]();
  await mux.addServer('one', fixtureCommand('echo'));
  await next(events);
  followed[Symbol.dispose]();
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
