import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it, vi } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };

describe.each([
  ['Streamable HTTP', {}],
  ['the deprecated SSE transport', { transport: 'sse' }],
] as const)('a server at a url over %s', (_, options) => {
  it('S13: sends progress with the token of the client, before the answer', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    await rig.client.request('tools/call', {
      name: 'far__count',
      arguments: { n: 3 },
      _meta: { progressToken: 'mine' },
    });
    expect(rig.client.notified('notifications/progress')).toEqual(
      [1, 2, 3].map((progress) => ({ progressToken: 'mine', progress })),
    );
  });

  it('S13: asks the client, which answers', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    const client = await MuxClient.initialized(rig.mux, { elicitation: {} });
    await rig.mux.addServer('far', { url: server.url });
    const called = client.call('far__ask');
    const { id, params } = await client.asked('elicitation/create');
    expect(params['message']).toBe('[far] Your name?');
    client.answer(id, { action: 'accept', content: { name: 'Ada' } });
    expect(textOf((await called).result)).toContain('Ada');
  });

  it('S13: is told of a cancellation, and keeps no connection for the call', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    const before = await rig.client.call('far__echo', { message: 'warm' });
    expect(before).toHaveProperty('result');
    rig.client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"far__wait"}}');
    await vi.waitUntil(() => server.of('tools/call').length === 2, SOON);
    rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    await vi.waitUntil(() => server.state.cancelled === 1, SOON);
    const after = await rig.client.call('far__echo', { message: 'still there' });
    expect(textOf(after.result)).toBe('still there');
  });

  it('S13: a new tool is announced, listed and called', async () => {
    await using server = await RemoteServer.open(options);
    await using rig = await MuxRig.open();
    await rig.mux.addServer('far', { url: server.url });
    await vi.waitUntil(() => server.requests.some(({ method }) => method === 'GET'), SOON);
    await rig.client.call('far__add_tool');
    await rig.listed('far', 'far__added');
    expect(textOf((await rig.client.call('far__added')).result)).toBe('new');
  });
});

it('S13: calls do not wait for each other where each is answered in one piece', async () => {
  await using server = await RemoteServer.open({ answersInJson: true });
  await using rig = await MuxRig.open();
  await rig.mux.addServer('far', { url: server.url });
  rig.client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"far__wait"}}');
  await vi.waitUntil(() => server.of('tools/call').length === 1, SOON);
  const { result } = await rig.client.call('far__echo', { message: 'meanwhile' });
  expect(textOf(result)).toBe('meanwhile');
  rig.client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
  await vi.waitUntil(() => server.state.cancelled === 1, SOON);
});
