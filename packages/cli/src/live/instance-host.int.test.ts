import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMux, type Mux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { askInstance, InstanceRefusal } from './ask-instance.js';
import { hostInstance, type InstanceHost } from './instance-host.js';
import { connectInstance, connectSocket } from './instances.js';
import { statesOf } from './server-state.js';
import { toolResultText, type McpConnection } from './mcp-connection.js';

let folder = '';
let mux: Mux;
let host: InstanceHost;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcpmux-host-'));
  vi.stubEnv('MCPMUX_RUNTIME_DIR', join(folder, 'run'));
  mux = createMux({ implementation: { name: 'test', version: '1' } });
  host = await hostInstance({ mux, reloadConfig: () => Promise.resolve({}) });
});

afterEach(async () => {
  host.close();
  await mux.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function connected(): Promise<McpConnection> {
  const connection = await connectInstance(host.announcement);
  if (connection === undefined) throw new Error('nobody listens');
  return connection;
}

async function pidOf(connection: McpConnection): Promise<number | undefined> {
  return (await statesOf(connection)).find(({ name }) => name === 'mine')?.pid;
}

/** Calls the server until it answers, which it does not while it starts again. */
async function echo(connection: McpConnection): Promise<string> {
  return toolResultText(
    await connection.request('tools/call', { name: 'mine__echo', arguments: { message: 'hi' } }),
  );
}

it('a server is restarted for all sessions that have one of their own', async () => {
  await mux.addServer('mine', { ...fixtureCommand('echo'), isolation: 'session' });
  const [one, two] = [await connected(), await connected()];
  await expect.poll(() => echo(one), { timeout: 10_000 }).toBe('hi');
  await expect.poll(() => echo(two), { timeout: 10_000 }).toBe('hi');
  const before = [await pidOf(one), await pidOf(two)];
  expect(new Set(before).size).toBe(2);
  await askInstance(host.announcement, 'restart', { name: 'mine' });
  const after = [await pidOf(one), await pidOf(two)];
  expect(new Set([...before, ...after]).size).toBe(4);
  expect(await echo(two)).toBe('hi');
  one.close();
  two.close();
});

it('what was called at a server is still known when one of those that have it has gone', async () => {
  await mux.addServer('mine', { ...fixtureCommand('echo'), isolation: 'session' });
  const [one, two] = [await connected(), await connected()];
  await expect.poll(() => echo(one), { timeout: 10_000 }).toBe('hi');
  await expect.poll(() => echo(two), { timeout: 10_000 }).toBe('hi');
  const gone = new Promise((resolve) => mux.on('server:removed', resolve));
  two.close();
  await gone;
  expect((await askInstance(host.announcement, 'calls', {}))['mine']?.count).toBeGreaterThanOrEqual(2);
  one.close();
});

it('a server is removed for all, and one that is not there is refused by name', async () => {
  await mux.addServer('mine', fixtureCommand('echo'));
  expect(await askInstance(host.announcement, 'restart', { name: 'mine' })).toMatchObject({
    status: 'running',
    tools: 2,
  });
  expect(await askInstance(host.announcement, 'remove', { name: 'mine' })).toMatchObject({
    status: 'removed',
  });
  expect(mux.listServers()).toEqual([]);
  const refused = askInstance(host.announcement, 'restart', { name: 'mine' });
  await expect(refused).rejects.toBeInstanceOf(InstanceRefusal);
  await expect(refused).rejects.toMatchObject({
    code: 'SERVER_NOT_FOUND',
    message: expect.stringContaining('mine') as string,
  });
});

it('a session of MCP does not administer the instance', async () => {
  const connection = await connected();
  for (const method of ['mcpmux/clients', 'mcpmux/page', 'mcpmux/approvals'])
    await expect(connection.request(method)).rejects.toMatchObject({ data: { response: { code: -32_601 } } });
  connection.close();
});

it('a request after the end of the instance fails at once', async () => {
  const connection = await connected();
  host.close();
  await expect.poll(() => connection.request('ping').then(() => 'answered', String)).toContain('closed');
});

it.each([600, 70_000])('a name of %i characters is refused as one that no server has', async (length) => {
  const name = '\u001B]0;x'.repeat(length / 5);
  const refused = askInstance(host.announcement, 'restart', { name });
  await expect(refused).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
});

it('connections that say nothing are bounded, and commands are answered beside them', async () => {
  const first = await connectSocket(host.announcement);
  const closed = once(first, 'close');
  const others = await Promise.all(Array.from({ length: 200 }, () => connectSocket(host.announcement)));
  await closed;
  await expect(askInstance(host.announcement, 'calls', {})).resolves.toEqual({});
  await expect(connected().then((connection) => connection.close())).resolves.toBeUndefined();
  for (const socket of others) socket.destroy();
});
