import { describe, expect, it } from 'vitest';

import { legacyClientOf } from '../../testing/legacy-client-of.js';
import { MuxClient } from '../../testing/mux-client.js';
import { textOf } from '../../testing/mux-rig.js';

describe('S16: a client with a session in front of a modern server', () => {
  it('is shown its revision and era, its lists, its instructions', async () => {
    await using rig = await legacyClientOf('modern');
    expect(rig.rig.status('m')).toMatchObject({ protocol_version: '2026-07-28', era: 'modern', restarts: 0 });
    await expect(rig.client.serverTools()).resolves.toContain('m__echo');
    const late = await MuxClient.initialized(rig.rig.mux);
    const line = await late.responseLine('"r1"');
    expect(line).toContain('Speak modern.');
  });

  it('gets results without what only the modern era has', async () => {
    await using rig = await legacyClientOf('modern');
    const called = await rig.client.call('m__echo', { message: 'hi' });
    expect(called.result).toEqual({ content: [{ type: 'text', text: 'hi' }] });
    const read = await rig.client.request('resources/read', { uri: 'memo:///one' });
    expect(read.result).toEqual({ contents: [{ uri: 'memo:///one', text: 'the text of memo:///one' }] });
    const prompt = await rig.client.request('prompts/get', { name: 'm__greet' });
    expect(prompt.result).not.toHaveProperty('resultType');
    const completed = await rig.client.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'm__greet' },
      argument: { name: 'x', value: '' },
    });
    expect(completed.result).toEqual({ completion: { values: ['one'] } });
  });

  it('is described to it with every request, and mcpmux with its own', async () => {
    await using rig = await legacyClientOf('modern');
    await rig.client.call('m__echo', { message: 'hi' });
    const [opening, ...heard] = await rig.heard();
    // Both clients of the rig speak the legacy era, so the server is tried in that one first.
    expect(opening?.method).toBe('initialize');
    for (const { params } of heard.filter(({ method }) => !method.startsWith('notifications/')))
      expect(params).toMatchObject({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
    const call = heard.find(({ method }) => method === 'tools/call');
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    expect(call?.params).toMatchObject({
      _meta: {
        'io.modelcontextprotocol/clientInfo': { name: 'mcpmux' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    });
    expect(JSON.stringify(call)).not.toContain('tasks');
  });

  it('gets progress and can cancel', async () => {
    await using rig = await legacyClientOf('modern');
    await rig.client.request('tools/call', {
      name: 'm__count',
      arguments: { n: 3 },
      _meta: { progressToken: 'p' },
    });
    expect(rig.client.notified('notifications/progress')).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'p', progress, total: 3 })),
    );
    rig.client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"m__wait"}}');
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    const heard = await rig.heard();
    const methods = heard.map(({ method }) => method);
    expect(methods.slice(-3)).toEqual(['tools/call', 'notifications/cancelled', 'tools/call']);
  });

  it('gets log messages once it has asked for them, with each request', async () => {
    await using rig = await legacyClientOf('modern');
    const { result: without } = await rig.client.call('m__log', { level: 'info', data: 'x' });
    expect(textOf(without)).toBe('undefined');
    await rig.client.request('logging/setLevel', { level: 'warning' });
    await rig.client.call('m__log', { level: 'info', data: 'low' });
    const { result } = await rig.client.call('m__log', { level: 'error', data: 'high' });
    expect(textOf(result)).toBe('warning');
    expect(rig.client.notified('notifications/message')).toEqual([
      { level: 'error', logger: 'm/main', data: 'high' },
    ]);
  });

  it('gets errors that it knows', async () => {
    await using rig = await legacyClientOf('modern');
    const { result } = await rig.client.call('m__lacks');
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('sampling');
    const { error } = await rig.client.request('resources/read', { uri: 'memo:///none' });
    expect(error).toMatchObject({ code: -32_602, data: { uri: 'memo:///none' } });
  });

  it('sees an object where a tool gives an array', async () => {
    await using rig = await legacyClientOf('modern');
    const tools = await rig.client.tools();
    expect(tools.find(({ name }) => name === 'm__array')?.['outputSchema']).toEqual({
      type: 'object',
      properties: {
        result: {
          type: 'array',
          items: { $ref: '#/properties/result/$defs/n' },
          $defs: { n: { type: 'number' } },
        },
      },
      required: ['result'],
    });
    const { result } = await rig.client.call('m__array');
    expect(result).toEqual({
      content: [{ type: 'text', text: '[1,2]' }],
      structuredContent: { result: [1, 2] },
    });
  });

  it('hears of changed lists and resources, without the subscription of mcpmux', async () => {
    await using rig = await legacyClientOf('modern');
    await rig.client.call('m__add_tool', { name: 'late' });
    await rig.client.listChanged(1);
    await rig.rig.listed('m', 'm__late');
    const subscribed = await rig.client.request('resources/subscribe', { uri: 'memo:///one' });
    expect(subscribed.result).toEqual({});
    await rig.client.call('m__touch', { uri: 'memo:///one' });
    await rig.client.line((line) => line.includes('resources/updated'));
    expect(rig.client.notified('notifications/resources/updated')).toEqual([{ uri: 'memo:///one' }]);
    const refused = await rig.client.request('resources/subscribe', { uri: 'other:///one' });
    expect(refused.error?.code).toBe(-32_602);
    await rig.client.request('resources/unsubscribe', { uri: 'memo:///one' });
    const { result } = await rig.client.call('m__listens');
    const flags = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const history = JSON.parse(textOf(result)) as { cancelled?: number }[];
    expect(history.filter(({ cancelled }) => cancelled === undefined)).toEqual([
      flags,
      { ...flags, resourceSubscriptions: ['memo:///one'] },
      { ...flags, resourceSubscriptions: ['memo:///one', 'other:///one'] },
      flags,
    ]);
  });

  it('hears of a changed list when the server that ended its listening is listened to again', async () => {
    await using rig = await legacyClientOf('modern');
    await rig.client.call('m__end_listens');
    await rig.client.call('m__add_tool', { name: 'meanwhile' });
    await rig.rig.listed('m', 'm__meanwhile');
    expect(rig.client.count('notifications/tools/list_changed')).toBeGreaterThan(0);
  });

  it('hears of a list that grew unannounced once it has asked for the list', async () => {
    await using rig = await legacyClientOf('modern-sloppy');
    await rig.client.call('m__grow');
    await rig.client.serverTools();
    await rig.rig.listed('m', 'm__grown_2');
    await expect(rig.client.serverTools()).resolves.toHaveLength(3);
  });

  it('is not asked by a server that sends a request', async () => {
    await using rig = await legacyClientOf('modern');
    await rig.client.call('m__ask');
    const heard = await rig.heard();
    expect(heard).toContainEqual(expect.objectContaining({ id: 'own-1', error: expect.anything() }));
    expect(rig.client.lines.join()).not.toContain('roots/list');
  });
});
