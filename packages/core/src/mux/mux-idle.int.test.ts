import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';
import type { RememberedLists } from '../server/lists/remembered-lists.js';

const ECHO = fixtureCommand('echo');

async function listsOfEcho(): Promise<RememberedLists> {
  await using mux = createMux();
  await mux.addServer('echo', ECHO);
  return mux.remember('echo') ?? {};
}

/** Resolves when the server's state is this one. */
function state(mux: Mux, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    const off = mux.on('server:state', ({ status }) => {
      if (status !== wanted) return;
      off();
      resolve();
    });
  });
}

const called = (message: string): object => ({ content: [{ text: message }] });

it('a lazy server whose lists are known starts with the first call, once for all that come', async () => {
  const remembered = await listsOfEcho();
  await using mux = createMux();
  const { status, tools } = await mux.addServer('echo', { ...ECHO, lazy: true }, { remembered });
  expect({ status, tools }).toEqual({ status: 'idle', tools: ['echo__echo', 'echo__slow_echo'] });
  const calls = ['one', 'two', 'three'].map((message) => mux.callTool('echo__echo', { message }));
  expect(await Promise.all(calls)).toMatchObject(['one', 'two', 'three'].map(called));
  expect(mux.listServers()).toMatchObject([{ status: 'running', restarts: 0 }]);
});

it('a lazy server of which nothing is known starts at once', async () => {
  await using mux = createMux();
  expect(await mux.addServer('echo', { ...ECHO, lazy: true })).toMatchObject({ status: 'running' });
});

it('a lazy server that does not start tells the call why, and later calls, too', async () => {
  const remembered = { tools: ['{"name":"find","inputSchema":{"type":"object"}}'] };
  await using mux = createMux();
  const config = { ...fixtureCommand('exit-on-start'), lazy: true };
  expect(await mux.addServer('dead', config, { remembered })).toMatchObject({ status: 'idle' });
  expect(await mux.callTool('dead__find', {})).toMatchObject({ isError: true });
  expect(mux.listServers()).toMatchObject([{ status: 'crashed' }]);
  expect(JSON.stringify(await mux.callTool('dead__find', {}))).toContain('exited with code 3');
});

it('a server that nobody uses is stopped, keeps its tools, and starts again with the next call', async () => {
  await using mux = createMux();
  const { pid } = await mux.addServer('echo', { ...ECHO, idleTimeoutMs: 100 });
  await state(mux, 'idle');
  expect(mux.listServers()).toMatchObject([{ status: 'idle', tools: ['echo__echo', 'echo__slow_echo'] }]);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(await mux.callTool('echo__echo', { message: 'again' })).toMatchObject(called('again'));
  await state(mux, 'idle');
  expect(await mux.callTool('echo__echo', { message: 'and again' })).toMatchObject(called('and again'));
});

it('a server is not stopped while a call of it is in flight', async () => {
  await using mux = createMux();
  await mux.addServer('echo', { ...ECHO, idleTimeoutMs: 50 });
  const states: string[] = [];
  mux.on('server:state', ({ status }) => states.push(status));
  expect(await mux.callTool('echo__slow_echo', { message: 'slow', delay_ms: 400 })).toMatchObject(
    called('slow'),
  );
  expect(states).toEqual([]);
  await state(mux, 'idle');
});

it('a server that sleeps can be reloaded and removed', async () => {
  const remembered = await listsOfEcho();
  await using mux = createMux();
  await mux.addServer('echo', { ...ECHO, lazy: true }, { remembered });
  expect(await mux.reloadServer('echo')).toMatchObject({ status: 'running' });
  await mux.addServer('other', { ...ECHO, lazy: true }, { remembered });
  await mux.removeServer('other');
  expect(mux.listServers()).toMatchObject([{ name: 'echo' }]);
});

function isAlive(pid: number | null = 0): boolean {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
}

it('a lazy server waits for the one that had its name before', async () => {
  const remembered = await listsOfEcho();
  await using mux = createMux();
  const { pid } = await mux.addServer('echo', fixtureCommand('ignore-eof'));
  const gone = mux.removeServer('echo');
  await mux.addServer('echo', { ...ECHO, lazy: true }, { remembered });
  expect(await mux.callTool('echo__echo', { message: 'after' })).toMatchObject(called('after'));
  expect(isAlive(pid)).toBe(false);
  await gone;
});
