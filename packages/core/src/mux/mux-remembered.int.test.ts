import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { fixtureCommand } from '@mcpmux/test-servers';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createMux } from './mux.js';
import type { Mux } from './mux-api.js';
import type { ServerConfig } from '../upstream/config/server-config.js';
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
