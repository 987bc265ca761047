import { describe, expect, it } from 'vitest';

import { measureHeldBufferBytes } from '@mcpmux/testing/held-memory';
import { runningServer, type RunningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';
import { toolDefinition } from '../../testing/tool-definitions.js';

function withServer(...tools: readonly string[]): RunningServer & { readonly rig: SessionRig } {
  const server = runningServer('gh', tools);
  return { ...server, rig: new SessionRig([server.upstream]) };
}

const progressLine = (token: string, progress = 1): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${progress}}}`;

describe('a forwarded call', () => {
  it('M5: reaches the server with its id, its progress token and the prefix of its name replaced, and nothing else', async () => {
    const { rig, server } = withServer('get');
    const call = (id: string, name: string, token: string): string =>
      `{ "params":{"arguments":{"n":12345678901234567890,"one":1.0,"zero":-0,"a":1,"a":2},"name": ${name} ,` +
      `"_meta":{"x/y":[1.50],"progressToken":${token}},"z":{}},"id" :${id},"method":"tools/call","jsonrpc":"2.0","q":[] }`;
    await rig.exchange(call('"c-1"', '"gh__get"', '"t"'));
    expect(server.received).toEqual([call('1', '"get"', '1')]);
  });

  it('M5: gives the tool the name that its server wrote, escapes included', async () => {
    const server = runningServer('gh', []);
    const { upstream } = server;
    upstream.tools = [toolDefinition('{"name":"g\\u0065t \\u65e5"}')];
    const rig = new SessionRig([upstream]);
    await rig.exchange('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"gh__\\u0067et 日"}}');
    expect(server.server.received).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"g\\u0065t \\u65e5"}}',
    ]);
  });

  it.each(['0', '-3', '""', '"1"', '9007199254740993', String.raw`"\u0061\/"`])(
    'is answered with the bytes of the server and the id of the client: %s',
    async (id) => {
      const { rig, server } = withServer('get');
      rig.call(id, 'gh__get');
      await rig.exchange();
      server.send(
        '{ "result" : {"content":[],"n":1.0,"big":12345678901234567890} ,"id":1,"jsonrpc":"2.0","x":-0 }',
      );
      await expect(rig.exchange()).resolves.toEqual([
        `{ "result" : {"content":[],"n":1.0,"big":12345678901234567890} ,"id":${id},"jsonrpc":"2.0","x":-0 }`,
      ]);
    },
  );

  it('is answered with the error of the server as it is', async () => {
    const { rig, server } = withServer('get');
    rig.call('5', 'gh__get');
    await rig.exchange();
    server.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32042,"message":"m","data":{"n":1.0}}}');
    await expect(rig.exchange()).resolves.toEqual([
      '{"jsonrpc":"2.0","id":5,"error":{"code":-32042,"message":"m","data":{"n":1.0}}}',
    ]);
  });

  it('B13: is answered once: a second response is dropped', async () => {
    const { rig, server } = withServer('get');
    rig.call('5', 'gh__get');
    await rig.exchange();
    server.answer(1, '"first"');
    server.answer(1, '"second"');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":"first"}']);
  });

  it('does not keep the bytes of its request while it waits', async () => {
    const { rig } = withServer('get');
    await rig.exchange();
    const before = measureHeldBufferBytes();
    const big = 'x'.repeat(5_000_000);
    rig.call('5', 'gh__get', `"arguments":{"big":"${big}"},"_meta":{"progressToken":"t"}`);
    await rig.exchange();
    expect(measureHeldBufferBytes() - before).toBeLessThan(1_000_000);
  });

  it('is logged at debug, without its arguments', async () => {
    const { rig } = withServer('get');
    rig.call('5', 'gh__get', '"arguments":{"password":"hunter2"}');
    await rig.exchange();
    expect(rig.logger.records).toEqual([
      { level: 'debug', message: 'call', fields: { server: 'gh', tool: 'get', call: 1 } },
    ]);
  });
});

describe('the progress of a forwarded call', () => {
  it.each(['0', '7', '1.0', '"1"', '""', String.raw`"\u0061"`])(
    'D9: comes with the token of the client, byte for byte: %s',
    async (token) => {
      const { rig, server } = withServer('get');
      rig.call('5', 'gh__get', `"_meta":{"progressToken":${token}}`);
      await rig.exchange();
      server.send(progressLine('1'));
      await expect(rig.exchange()).resolves.toEqual([progressLine(token)]);
    },
  );

  it('comes before the response that the server sent after it', async () => {
    const { rig, server } = withServer('get');
    rig.call('5', 'gh__get', '"_meta":{"progressToken":"t"}');
    await rig.exchange();
    server.send(progressLine('1', 1), progressLine('1', 2), '{"jsonrpc":"2.0","id":1,"result":0}');
    await expect(rig.exchange()).resolves.toEqual([
      progressLine('"t"', 1),
      progressLine('"t"', 2),
      '{"jsonrpc":"2.0","id":5,"result":0}',
    ]);
  });

  it('does not come when the client gave no token, nor after the response', async () => {
    const { rig, server } = withServer('get');
    rig.call('5', 'gh__get');
    rig.call('6', 'gh__get', '"_meta":{"progressToken":"t"}');
    await rig.exchange();
    server.send(progressLine('1'), '{"jsonrpc":"2.0","id":2,"result":0}', progressLine('2'));
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":6,"result":0}']);
  });
});

describe('a cancelled call', () => {
  it.each(['0', '""', '"a"', '7'])(
    'M10, D3: reaches the server under the id that it knows: %s',
    async (id) => {
      const { rig, server } = withServer('wait');
      rig.call('"other"', 'gh__wait');
      rig.call(id, 'gh__wait');
      await rig.exchange();
      const cancel = (requestId: string): string =>
        `{"method":"notifications/cancelled","params":{"reason":"\\u0041","requestId": ${requestId} ,"n":1.0},"jsonrpc":"2.0"}`;
      await rig.exchange(cancel(id));
      expect(server.received.slice(2)).toEqual([cancel('2')]);
    },
  );

  it('D4: is not answered, not even when the server answers it late', async () => {
    const { rig, server } = withServer('wait');
    rig.call('5', 'gh__wait', '"_meta":{"progressToken":"t"}');
    await rig.exchange();
    rig.cancel('5');
    await rig.exchange();
    server.send(progressLine('1'), '{"jsonrpc":"2.0","id":1,"result":0}');
    await expect(rig.exchange()).resolves.toEqual([]);
    await rig.session.finish(0);
    expect(rig.client.lines).toEqual([]);
  });

  it('leaves its id free for another request', async () => {
    const { rig, server } = withServer('wait');
    rig.call('5', 'gh__wait');
    rig.cancel('5');
    rig.call('5', 'gh__wait');
    await rig.exchange();
    server.answer(1, '"late"');
    server.answer(2, '"second"');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":"second"}']);
  });

  it.each([
    ['an unknown id', '{"requestId":6}'],
    ['an id of another type', '{"requestId":"5"}'],
    ['an id that is none', '{"requestId":{"id":5}}'],
    ['no id', '{}'],
    ['no params', '[5]'],
  ])('is not meant by a cancellation with %s', async (_, params) => {
    const { rig, server } = withServer('wait');
    rig.call('5', 'gh__wait');
    const line = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
    await expect(rig.exchange(line)).resolves.toEqual([]);
    expect(server.received.length).toBe(1);
    server.answer(1, '0');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":0}']);
  });

  it('that was answered already is not cancelled at the server', async () => {
    const { rig, server } = withServer('wait');
    rig.call('5', 'gh__wait');
    await rig.exchange();
    server.answer(1, '0');
    await rig.exchange();
    rig.cancel('5');
    await rig.exchange();
    expect(server.received.length).toBe(1);
  });

  it('D5: of one client is not cancelled by another client with the same id', async () => {
    const { upstream, server } = runningServer('gh', ['wait']);
    const [one, two] = [new SessionRig([upstream]), new SessionRig([upstream])];
    one.call('5', 'gh__wait');
    await one.exchange();
    two.cancel('5');
    await two.exchange();
    expect(server.received.length).toBe(1);
    server.answer(1, '0');
    await expect(one.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":5,"result":0}']);
    expect(two.client.lines).toEqual([]);
  });
});
