import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

it.each(['0', '""', '"abc"', '7', '"0"'])(
  'M10, D3: the cancellation of request %s reaches the server',
  async (id) => {
    await using rig = await MuxRig.open();
    const { client } = rig;
    await rig.add('c', 'cancellable');
    client.send(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"c__wait"}}`);
    client.send(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"enough"}}`,
    );
    const { result } = await client.call('c__cancelled');
    expect(JSON.parse(textOf(result))).toEqual([{ requestId: expect.anything(), reason: 'enough' }]);
    // the late answer has come before this one: it went nowhere
    expect(client.lines.filter((line) => line.includes('answered after the cancel'))).toEqual([]);
  },
);

it('M10: a cancellation concerns the request with an id of the same type only', async () => {
  await using rig = await MuxRig.open();
  const { client } = rig;
  await rig.add('c', 'cancellable');
  client.send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"c__wait"}}');
  client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"1"}}');
  const { result } = await client.call('c__cancelled');
  expect(JSON.parse(textOf(result))).toEqual([]);
});

it.each(['7', '0', '"tok"', '""'])(
  'S9, D7: progress for token %s comes before the response of its call',
  async (token) => {
    await using rig = await MuxRig.open();
    const { client } = rig;
    await rig.add('p', 'progress');
    client.send(
      `{"jsonrpc":"2.0","id":"call","method":"tools/call","params":{"name":"p__count","arguments":{"n":3},` +
        `"_meta":{"progressToken":${token}}}}`,
    );
    const response = await client.responseLine('"call"');
    const end = client.lines.indexOf(response);
    const progress = client.lines.slice(0, end).filter((line) => line.includes('notifications/progress'));
    expect(progress).toEqual(
      [1, 2, 3].map(
        (step) =>
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${step},"total":3}}`,
      ),
    );
  },
);

it('S9: a call from the host gets its progress and can be cancelled', async () => {
  await using rig = await MuxRig.open();
  await Promise.all([rig.add('p', 'progress'), rig.add('c', 'cancellable')]);
  const seen: number[] = [];
  await rig.mux.callTool('p__count', { n: 3 }, { onProgress: ({ progress }) => seen.push(progress) });
  expect(seen).toEqual([1, 2, 3]);
  const controller = new AbortController();
  const waiting = rig.mux.callTool('c__wait', {}, { signal: controller.signal });
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
  const cancelled = await rig.mux.callTool('c__cancelled');
  expect(JSON.parse(textOf(cancelled))).toHaveLength(1);
});
