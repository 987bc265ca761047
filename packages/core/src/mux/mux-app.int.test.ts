import { expect, it } from 'vitest';

import { createMux } from '../index.js';
import { MuxClient } from '../testing/mux-client.js';

const UI = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };
const URI = 'ui://mcpmux/overview';
const overviewApp = (): Promise<string> => Promise.resolve('<!doctype html>');

async function seenBy(client: MuxClient) {
  const list = await client.request('tools/list', {});
  const tools = (list.result?.['tools'] ?? []) as readonly Readonly<Record<string, unknown>>[];
  const tool = tools.find((one) => one['name'] === 'list_servers');
  const { result, error } = await client.request('resources/read', { uri: URI });
  return { meta: tool?.['_meta'], contents: result?.['contents'], error: error?.message };
}

it('a client that shows MCP Apps gets the page of list_servers', async () => {
  await using mux = createMux({}, { overviewApp });
  expect(await seenBy(await MuxClient.initialized(mux, UI))).toEqual({
    meta: { ui: { resourceUri: URI } },
    contents: [
      {
        uri: URI,
        mimeType: 'text/html;profile=mcp-app',
        text: '<!doctype html>',
        _meta: { ui: { prefersBorder: true } },
      },
    ],
  });
});

it.each([{}, { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/x'] } } }, { extensions: 1 }])(
  'a client with the capabilities %j gets neither page nor mention of it',
  async (capabilities) => {
    await using mux = createMux({}, { overviewApp });
    // The lists of both kinds of clients are stored side by side.
    await seenBy(await MuxClient.initialized(mux, UI));
    const seen = await seenBy(await MuxClient.initialized(mux, capabilities));
    expect(seen).toMatchObject({ meta: undefined, contents: undefined });
    expect(seen.error).toContain('not found');
  },
);

it('without a page of the host no client gets one', async () => {
  await using mux = createMux();
  expect(await seenBy(await MuxClient.initialized(mux, UI))).toMatchObject({ meta: undefined });
});

it('a page that cannot be read is an error of that request', async () => {
  await using mux = createMux({}, { overviewApp: () => Promise.reject(new Error('it was not built')) });
  const client = await MuxClient.initialized(mux, UI);
  expect((await seenBy(client)).error).toContain('it was not built');
});

it('a client of the modern era that declares MCP Apps in its requests gets the page too', async () => {
  await using mux = createMux({}, { overviewApp });
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': UI,
  };
  const client = new MuxClient(mux);
  const list = await client.request('tools/list', { _meta: meta });
  expect(JSON.stringify(list)).toContain(`"resourceUri":"${URI}"`);
  const read = await client.request('resources/read', { uri: URI, _meta: meta });
  expect(read.result).toMatchObject({ contents: [{ text: '<!doctype html>' }] });
});
