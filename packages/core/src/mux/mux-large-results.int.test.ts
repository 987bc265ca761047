import { describe, expect, it } from 'vitest';

import { HANDLE, muxWith, resultOf, textOf } from '../testing/large-results-rig.js';
import { MuxClient } from '../testing/mux-client.js';
import { createMux } from './mux.js';

describe('a result that is too long for its client', () => {
  const rows = { rows: Array.from({ length: 500 }, (_, id) => ({ id, name: `row ${id}` })) };
  const text = JSON.stringify(rows);

  it('is answered with its beginning, its shape and a handle, by which all of it can be read', async () => {
    await using mux = await muxWith(() => ({ content: [{ type: 'text', text }], _meta: { k: 1 } }));
    const client = await MuxClient.initialized(mux);
    expect((await client.tools()).map(({ name }) => name)).toContain('read_result');
    const result = await resultOf(client, 's__get');
    expect(result).toMatchObject({ _meta: { k: 1 } });
    expect(textOf(result).length).toBeLessThan(2000);
    expect(textOf(result)).toContain('Shape: {rows: [500 × {id: number, name: string}]}');
    const handle = HANDLE.exec(textOf(result))?.[1];
    let read = '';
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const [where = '', ...rest] = textOf(await resultOf(client, 'read_result', { handle, page })).split(
        '\n',
      );
      pages = Number(/of (\d+)/.exec(where)?.[1]);
      read += rest.join('\n');
    }
    expect(read).toBe(text);
    const path = await resultOf(client, 'call_tool', {
      name: 'read_result',
      arguments: { handle, path: '$.rows[499].name' },
    });
    expect(textOf(path)).toBe('"row 499"');
    const resource = await client.request('resources/read', { uri: `mcpmux-result://${handle}/2` });
    expect(resource.result).toMatchObject({ contents: [{ text: text.slice(1500, 3000) }] });
  });

  it('stays an error if it is one', async () => {
    await using mux = await muxWith(() => ({ content: [{ type: 'text', text }], isError: true }));
    const client = await MuxClient.initialized(mux);
    expect(await resultOf(client, 's__get')).toMatchObject({ isError: true });
  });

  it('keeps the structured content that its output schema demands, and other blocks', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    await using mux = await muxWith(() => ({
      content: [{ type: 'text', text }, image],
      structuredContent: rows,
    }));
    const client = await MuxClient.initialized(mux);
    const table = await resultOf(client, 's__table');
    expect(table.structuredContent).toEqual(rows);
    expect(textOf(table).length).toBeLessThan(2000);
    const get = await resultOf(client, 's__get');
    expect(get).not.toHaveProperty('structuredContent');
    expect(get.content[1]).toEqual(image);
    const handle = HANDLE.exec(textOf(get))?.[1];
    const part = await resultOf(client, 'read_result', { handle, part: 2, path: 'rows[0]' });
    expect(textOf(part)).toBe('{"id":0,"name":"row 0"}');
  });

  it('is read by its principal alone, and not by a forged handle', async () => {
    await using mux = await muxWith(() => ({ content: [{ type: 'text', text }] }));
    const ann = await MuxClient.initialized(mux, {}, { principal: { id: 'ann', roles: [], rights: [] } });
    const bob = await MuxClient.initialized(mux, {}, { principal: { id: 'bob', roles: [], rights: [] } });
    const handle = HANDLE.exec(textOf(await resultOf(ann, 's__get')))?.[1];
    for (const wrong of [{ handle }, { handle: 'forged' }])
      expect(await resultOf(bob, 'read_result', wrong)).toMatchObject({ isError: true });
    expect(textOf(await resultOf(ann, 'read_result', { handle }))).toContain('Page 1 of');
  });

  it('is passed on byte for byte below the limit, by the limit of the client', async () => {
    const options = { tokens: 500, clients: { te: 1_000_000 } };
    await using mux = await muxWith(() => ({ content: [{ type: 'text', text }] }), options);
    const client = await MuxClient.initialized(mux);
    expect(textOf(await resultOf(client, 's__get'))).toBe(text);
  });
});

it('read_result is in no list and no search without such a guard', async () => {
  await using mux = createMux({ exposure: { mode: 'search' } });
  const client = await MuxClient.initialized(mux);
  expect(JSON.stringify(await client.tools())).not.toContain('read_result');
  const found = await client.manage('search_tools', { query: 'read result' });
  expect(JSON.stringify(found)).not.toContain('read_result');
});
