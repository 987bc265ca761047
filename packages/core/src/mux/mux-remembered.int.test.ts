import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';
import type { ServerConfig } from '../server/config/server-config.js';
import type { ToolShown } from '../server/lists/tool-filter.js';
import { MuxClient } from '../testing/mux-client.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcpmux-remembered-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The echo server, which begins to run once a file is there. */
function gated(gate: string): ServerConfig {
  const { command, args } = fixtureCommand('echo');
  const program = `
    const { existsSync, watch } = require('node:fs');
    const open = () => existsSync(process.argv[1]) && (watcher.close(), import(process.argv[2]));
    const watcher = watch(require('node:path').dirname(process.argv[1]), open);
    open();`;
  return { command, args: ['-e', program, gate, pathToFileURL(args[0] ?? '').href] };
}

async function toolsOf(mux: Mux): Promise<readonly unknown[]> {
  const client = await MuxClient.initialized(mux);
  const { result } = await client.request('tools/list', {});
  const tools = (result?.['tools'] ?? []) as readonly { readonly name: string }[];
  client.end();
  return tools.filter(({ name }) => name.includes('__'));
}

async function lastRun(): Promise<{
  readonly tools: readonly unknown[];
  readonly lists: ReturnType<Mux['remember']>;
}> {
  const gate = join(folder, 'open');
  writeFileSync(gate, '');
  await using mux = createMux();
  await mux.addServer('slow', gated(gate));
  return { tools: await toolsOf(mux), lists: mux.remember('slow') };
}

it('what a server listed in the last run is listed before it has started, and its calls wait for it', async () => {
  const { tools, lists } = await lastRun();
  expect(tools).not.toEqual([]);
  const gate = join(folder, 'closed');
  await using mux = createMux();
  const added = mux.addServer('slow', gated(gate), { ...(lists !== undefined && { remembered: lists }) });
  expect(mux.listServers()).toMatchObject([{ name: 'slow', status: 'starting' }]);
  expect(await toolsOf(mux)).toEqual(tools);
  const called = mux.callTool('slow__echo', { message: 'waited' });
  writeFileSync(gate, '');
  await added;
  expect(await called).toMatchObject({ content: [{ text: 'waited' }] });
});

it('a client that has listed before is told of what is remembered', async () => {
  await using mux = createMux();
  const client = await MuxClient.initialized(mux);
  await client.request('tools/list', {});
  const remembered = { tools: ['{"name":"find","inputSchema":{"type":"object"}}'] };
  const config = { ...fixtureCommand('echo'), lazy: true };
  await mux.addServer('echo', config, { remembered });
  await expect.poll(() => client.lines.some((line) => line.includes('tools/list_changed'))).toBe(true);
  const { result } = await client.request('tools/list', {});
  expect(JSON.stringify(result)).toContain('"echo__find"');
});

it('a server that does not start loses what was remembered, and the call that waited is told why', async () => {
  const remembered = { tools: ['{"name":"find","inputSchema":{"type":"object"}}'] };
  await using mux = createMux();
  const added = mux.addServer('dead', fixtureCommand('exit-on-start'), { keepsFailed: true, remembered });
  const called = mux.callTool('dead__find', {});
  await expect(added).rejects.toMatchObject({ code: 'START_FAILED' });
  expect(JSON.stringify(await called)).toContain('dead');
  expect(await called).toMatchObject({ isError: true });
  expect(await toolsOf(mux)).toEqual([]);
});

it('M1: a server that lists what is remembered of it is announced to nobody', async () => {
  const { lists } = await lastRun();
  const gate = join(folder, 'closed');
  await using mux = createMux();
  const added = mux.addServer('slow', gated(gate), { ...(lists !== undefined && { remembered: lists }) });
  const client = await MuxClient.initialized(mux);
  expect(await client.serverTools()).toEqual(['slow__echo', 'slow__slow_echo']);
  writeFileSync(gate, '');
  await added;
  await mux.reloadServer('slow');
  await mux.addServer('other', fixtureCommand('crash'));
  await client.listChanged(1);
  expect(await client.serverTools()).toContain('other__crash');
  expect(client.count('notifications/tools/list_changed')).toBe(1);
});

it('M1: servers that start together are announced once', async () => {
  // The machine may need more than the second of the default.
  await using mux = createMux({}, { limits: { listChangedStartingMs: 60_000 } });
  const client = await MuxClient.initialized(mux);
  await client.serverTools();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await Promise.all(names.map((name) => mux.addServer(name, fixtureCommand('crash'))));
  await client.listChanged(1);
  expect(await client.serverTools()).toEqual(names.map((name) => `${name}__crash`));
  await mux.removeServer('a');
  await client.listChanged(2);
  expect(client.count('notifications/tools/list_changed')).toBe(2);
});

it('what is remembered of a server has the tools that its filter takes away: the filter of the next run is another', async () => {
  await using mux = createMux();
  await mux.addServer('echo', fixtureCommand('echo'), { tools: { shown: () => false } });
  expect(await toolsOf(mux)).toEqual([]);
  const remembered = mux.remember('echo') ?? {};
  expect(remembered.tools).toHaveLength(2);
  await using later = createMux();
  const shown = (tool: string): ToolShown | false => (tool === 'echo' ? { name: 'say' } : false);
  await later.addServer('echo', { ...fixtureCommand('echo'), lazy: true }, { remembered, tools: { shown } });
  expect(await toolsOf(later)).toMatchObject([{ name: 'echo__say' }]);
});
