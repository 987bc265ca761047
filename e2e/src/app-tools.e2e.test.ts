import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { NODE } from './testing/built-cli.js';
import { fixtureServer } from './testing/fixture-server.js';
import { RawCli } from './testing/raw-cli.js';
import { textOf } from './testing/tool-response.js';

const CHARTS = { command: NODE, args: [fileURLToPath(new URL('testing/chart-server.mjs', import.meta.url))] };
const APPS = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const APP_TOOLS = ['charts__chart', 'charts__redraw', 'charts__old'];

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcpmux-e2e-apps-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A host of MCP Apps, or a client without them, after its handshake. */
async function started(mux: object, capabilities: object): Promise<RawCli> {
  const file = join(folder, 'mcpmux.json');
  const mcpServers = { charts: CHARTS, e: fixtureServer('echo') };
  await writeFile(file, JSON.stringify({ mux, mcpServers }));
  const args = ['--config', file, '--wait-for-servers'];
  const mcpmux = new RawCli({ args, cwd: folder, env: { XDG_STATE_HOME: folder } });
  const clientInfo = { name: 'host', version: '1' };
  await mcpmux.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
  mcpmux.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return mcpmux;
}

/** The tools of servers in the list. */
async function listed(mcpmux: RawCli): Promise<readonly string[]> {
  const { result } = await mcpmux.request('tools/list');
  const { tools } = result as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name).filter((name) => name.includes('__'));
}

describe.each([
  ['search', { exposure: 'search' }],
  ['auto without room', { exposure: { mode: 'auto', budget: 1 } }],
  ['code mode with search', { exposure: 'search', codeMode: true }],
])('in the mode %s', (_, mux) => {
  it('a host of MCP Apps has the tools with pages in its list, and those that pages call', async () => {
    await using mcpmux = await started(mux, APPS);
    expect(await listed(mcpmux)).toEqual(APP_TOOLS);
    expect(textOf(await mcpmux.call('charts__chart'))).toBe('chart');
    const page = await mcpmux.request('resources/read', { uri: 'ui://charts/main' });
    expect(page.result).toMatchObject({ contents: [{ text: '<!doctype html>chart' }] });
  });

  it('a client without MCP Apps has none of them', async () => {
    await using mcpmux = await started(mux, {});
    expect(await listed(mcpmux)).toEqual([]);
  });
});

it('in 2026-07-28, the request says whether the client shows pages', async () => {
  await using mcpmux = await started({ exposure: 'search' }, {});
  const listFor = async (capabilities: object): Promise<string> => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'host', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    return JSON.stringify(await mcpmux.request('tools/list', { _meta: envelope }));
  };
  expect(await listFor(APPS)).toContain('charts__redraw');
  expect(await listFor({})).not.toContain('charts__');
});

it('a host in the mode search is notified of a server with pages, and of no other', async () => {
  await using mcpmux = await started({ exposure: 'search' }, APPS);
  const changes = () =>
    mcpmux.messages.filter(({ method }) => method === 'notifications/tools/list_changed').length;
  await listed(mcpmux);
  const before = changes();
  await mcpmux.call('add_server', { name: 'plain', ...fixtureServer('echo') });
  expect(changes()).toBe(before);
  await mcpmux.call('add_server', { name: 'more', ...CHARTS });
  expect(changes()).toBe(before + 1);
  expect(await listed(mcpmux)).toContain('more__chart');
});
