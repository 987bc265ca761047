import { describe, expect, it } from 'vitest';

import { largeResults } from '../guards/index.js';
import { HANDLE, muxWith, resultOf, textOf } from '../testing/large-results-rig.js';
import { ModernClient } from '../testing/modern-client.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';
import type { Mux } from './mux-api.js';
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

describe('the mode auto', () => {
  const text = 'é'.repeat(1000);
  const host = {
    limits: [{ client: 'te', most: 1000, unit: 'characters', raisedBy: { key: 'test/most', most: 2500 } }],
  } as const;
  const answer = { text };
  const auto = () => muxWith(() => ({ content: [{ type: 'text', ...answer }] }), { mode: 'auto' }, host);

  async function named(mux: Mux, name: string): Promise<MuxClient> {
    const client = new MuxClient(mux);
    const clientInfo = { name, version: '1' };
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return client;
  }

  it('counts as the known client counts, and as a tool of its server raises the limit', async () => {
    await using mux = await auto();
    const client = await named(mux, 'Test');
    for (const [more, tool, isWhole] of [
      ['', 's__get', true],
      ['.', 's__get', false],
      ['.'.repeat(1500), 's__declared', true],
      ['.'.repeat(1501), 's__declared', false],
    ] as const) {
      answer.text = text + more;
      expect(textOf(await resultOf(client, tool)) === answer.text).toBe(isWhole);
    }
  });

  it('changes nothing for other clients, even beside one that it is for', async () => {
    await using mux = await auto();
    answer.text = text.repeat(20);
    const other = await named(mux, 'other');
    const [before] = [await other.tools()];
    const known = await named(mux, 'test');
    expect((await known.tools()).map(({ name }) => name)).toContain('read_result');
    const handle = HANDLE.exec(textOf(await resultOf(known, 's__get')))?.[1];
    expect(await other.tools()).toEqual(before);
    expect(textOf(await resultOf(other, 's__get'))).toBe(answer.text);
    expect(await resultOf(other, 'read_result', { handle })).toMatchObject({ isError: true });
  });

  it('is among the changes of lists that the clients that it is for are notified of', async () => {
    await using mux = createMux();
    const known = await named(mux, 'test');
    const names = async () => (await known.tools()).map(({ name }) => name);
    expect(await names()).not.toContain('read_result');
    const stop = mux.use(largeResults({ mode: 'auto' }, host));
    mux.expose({ mode: 'all' });
    await known.listChanged(1);
    expect(await names()).toContain('read_result');
    stop();
    mux.expose({ mode: 'all' });
    await known.listChanged(2);
    expect(await names()).not.toContain('read_result');
  });

  it('is for a modern client by the name in its request', async () => {
    await using mux = await auto();
    answer.text = text.repeat(20);
    const client = new MuxClient(mux);
    const lengthFor = async (id: string, name: string): Promise<number> => {
      const meta = { 'io.modelcontextprotocol/clientInfo': { name, version: '1' } };
      client.send(modernLine(id, 'tools/call', { name: 's__get', arguments: {} }, { meta }));
      return (await client.responseLine(id)).length;
    };
    expect(await lengthFor('1', 'other')).toBeGreaterThan(20_000);
    expect(await lengthFor('2', 'test')).toBeLessThan(2000);
    expect(await lengthFor('3', 'other')).toBeGreaterThan(20_000);
  });
});

describe('the result of a task', () => {
  const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

  it('is shortened in the answer to tasks/result', async () => {
    await using rig = await MuxRig.open();
    rig.mux.use(largeResults({ tokens: 1 }));
    await rig.add('m', 'tasks-required');
    const client = await MuxClient.initialized(rig.mux);
    const { result } = await client.request('tools/call', { name: 'm__must', arguments: {}, task: {} });
    const { taskId } = (result?.['task'] ?? {}) as { readonly taskId?: string };
    await client.request('tools/call', { name: 'm__finish', arguments: { taskId: 'task-1' } });
    const done = await client.request('tasks/result', { taskId });
    const handle = HANDLE.exec(JSON.parse(JSON.stringify(done.result?.['content']))[0].text)?.[1];
    const read = await resultOf(client, 'read_result', { handle, grep: 'task-1 completed' });
    expect(textOf(read)).toMatch(/^Page 1 of/);
  });

  it('is shortened in tasks/get of 2026-07-28, and the task stays as it is', async () => {
    await using rig = await MuxRig.open();
    rig.mux.use(largeResults({ tokens: 1 }));
    await rig.add('m', 'tasks-required');
    const client = new ModernClient(rig, TASKS);
    await client.call('m__must');
    const task = { taskId: 'mux1:m:task-1' };
    await client.call('m__finish', { taskId: 'task-1' });
    const { result } = await client.request('tasks/get', task);
    expect(result).toMatchObject({ ...task, resultType: 'complete', status: 'completed' });
    expect(result?.['result']).toMatchObject({
      content: [{ text: expect.stringMatching(HANDLE) as unknown }],
      resultType: 'complete',
    });
  });
});
