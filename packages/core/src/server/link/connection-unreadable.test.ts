import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { callTimes, failed } from '../../testing/failed-calls.js';
import { nextTurn } from '@mcpmux/testing/next-turn';

describe('a line that cannot be read', () => {
  it.each([
    ['that breaks off', '{"jsonrpc":"2.0","id":2,"result":{"content":[', [2]],
    ['with a raw control character', '{"jsonrpc":"2.0","id":2,"result":"\u0001"}', [2]],
    ['in which a bracket is lost', '{"jsonrpc":"2.0","id":2,"result":{"a":"id":3},"method":"GET"}}', [2]],
    ['that is no JSON before another id', '{"jsonrpc":"2.0","id":2,"result":tru,"id":1}', [2]],
    ['with a method that is none', '{"jsonrpc":"2.0","id":2,"method":null,"result":1}', [2]],
    ['that holds two results', '{"jsonrpc":"2.0","id":2,"result":1,"result":2}', [2]],
  ])('B11: %s fails the call it answers', async (_, line, ids) => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual(ids);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('C1: that is the last of a server, and half an answer, leaves it to the end of the run to say why', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.line(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{"content":['), true);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
    rig.connection.line(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{}}'), true);
    expect(sinks[1]?.events).toHaveLength(1);
  });

  it.each([
    ['that breaks off in its id before another one', '{"jsonrpc":"2.0","id":1{"id":2,"result":{}}'],
    ['that breaks off behind its id', '{"jsonrpc":"2.0","id":2,"res'],
    ['without a comma behind its id', '{"jsonrpc":"2.0","id":2"result":{}}'],
    [
      'of nobody, into which another one was written',
      '{"jsonrpc":"2.0","id":9,"res{"jsonrpc":"2.0","id":2,"result":{}}',
    ],
    ['with the only id in its data', '{"result":[{"id":2},tru]}'],
    ['that ends in its id', '{"jsonrpc":"2.0","id":1'],
    ['with an id that goes on as none', '{"jsonrpc":"2.0","id":2x,"result":{}}'],
    ['that holds no id', 'Example Server v1.0'],
    ['with an id that nobody waits for', '{"jsonrpc":"2.0","id":77,"result":{'],
    ['with an id that is a text without digits', '{"jsonrpc":"2.0","id":"x2","result":{'],
    ['that could answer either of two', '{"result":[{"id":1},{"id":2}]'],
    ['of a log that quotes the request', 'received {"jsonrpc":"2.0","id":2,"method":"tools/call"}'],
    ['of a log that quotes a part of it', '[debug] tools/call {"id":2,"name":"broken"} begins'],
    ['that is no message', '{"hello":"world"}'],
    ['that is JSON of another kind', '42'],
  ])('B1: %s fails nobody, and is counted', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
    rig.server.answer(2, '{}');
    await nextTurn();
    expect(sinks[1]?.events).toHaveLength(1);
  });

  it.each([
    [
      'that breaks off',
      '1',
      '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"id":2},"a',
    ],
    ['that breaks off in its method', '1', '{"jsonrpc":"2.0","id":1,"method":"sampling/crea'],
    ['with params that are no JSON', '1', '{"jsonrpc":"2.0","id":1,"params":{"t":NaN},"method":"m"}'],
    ['with an id that is a text', '"s"', '{"jsonrpc":"2.0","id":"s","method":"m","params":{"id":2},'],
    ['with a method that is no JSON', '2', '{"jsonrpc":"2.0","id":2,"method":undefined,"result":{}}'],
  ])('B1: that is a request %s fails nobody and is refused', async (_, id, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(rig.server.received.slice(2)).toEqual([
      expect.stringContaining(`"id":${id},"error":{"code":-32600`),
    ]);
  });

  it('is told with what is wrong with it', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.send('{"jsonrpc":"2.0","id":1,"result":tru}');
    await nextTurn();
    expect(sink?.events).toEqual([
      { failure: { kind: 'unreadable-response', problem: expect.stringContaining('no JSON value') } },
    ]);
  });

  it('is logged at debug, cut short', async () => {
    const { server, logger } = connected();
    server.send('x'.repeat(5000));
    await nextTurn();
    expect(logger.records).toEqual([
      {
        level: 'debug',
        message: 'dropped a line of a server',
        fields: { server: 'echo', problem: expect.any(String), start: 'x'.repeat(200) },
      },
    ]);
  });
});

describe('a response that is glued to something', () => {
  const RESPONSE = '{"jsonrpc":"2.0","id":2,"result":{"n":1.0}}';

  it.each([
    ['colour codes', '\u001b[0m'],
    ['a window title', '\u001b]0;server\u0007'],
    ['a log text without its newline', 'loading... done'],
  ])('B2: is read without %s before it', async (_, before) => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.server.send(before + RESPONSE);
    await nextTurn();
    expect(sinks.map(({ events }) => events.length)).toEqual([0, 1, 0]);
    expect(sinks[1]?.events).toMatchObject([
      { response: expect.stringMatching(/"id":2,"result":{"n":1.0}}$/), id: '2' },
    ]);
    expect(rig.connection.droppedLineCount).toBe(0);
  });

  it('is for nobody when nobody waits for it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 1);
    rig.server.send(`log: ${RESPONSE}`);
    await nextTurn();
    expect(sinks[0]?.events).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('is the only message that is looked for behind other text', async () => {
    const rig = connected();
    rig.server.send(
      'log: {"jsonrpc":"2.0","id":1,"method":"ping"}',
      'log: {"jsonrpc":"2.0","method":"notify"}',
    );
    await nextTurn();
    expect(rig.server.received).toEqual([]);
    expect(rig.notifications).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(2);
  });
});

describe('a message that nests too deeply or is put together wrongly', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

  it.each([
    ['nests too deeply', `{"jsonrpc":"2.0","id":2,"result":{"id":1,"x":${deep}}}`],
    ['has an error without a code', '{"jsonrpc":"2.0","id":2,"error":{"message":"no"}}'],
    ['has an error with a text as code', '{"jsonrpc":"2.0","id":2,"error":{"code":"E1","message":"no"}}'],
    ['has an error that is a text', '{"jsonrpc":"2.0","id":2,"error":"no"}'],
    ['has a result and an error', '{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"no"}}'],
  ])('B28: because it %s fails the call it names and no other', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([2]);
  });

  it.each([
    ['answers a call that does not wait', `{"id":9,"result":[{"id":2},${deep}]}`],
    ['has two ids', `{"id":1,"result":${deep},"id":2}`],
    ['has two ids, and is not deep', '{"jsonrpc":"2.0","id":1,"result":1,"id":2}'],
    ['has an id that is no number', `{"id":null,"result":[{"id":2},${deep}]}`],
    ['has an id that cannot be read', `{"id":${deep},"result":{"id":2}}`],
    ['is a notification', `{"params":[{"id":2},${deep}],"method":"x"}`],
  ])('B28: and %s fails nobody and is not answered', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(rig.server.received).toHaveLength(2);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it.each([
    ['nests too deeply', `{"jsonrpc":"2.0","id":1,"params":${deep},"method":"sampling/createMessage"}`],
    ['has two methods', '{"jsonrpc":"2.0","params":{},"id":1,"method":"x","method":"x"}'],
    ['has two methods, of which one is none', '{"jsonrpc":"2.0","id":1,"method":"x","method":null}'],
  ])('B28: and is a request that %s fails nobody and is refused', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(JSON.parse(rig.server.received.at(-1) ?? '')).toMatchObject({ id: 1, error: { code: -32_600 } });
  });

  it('B28: and is a request with an id that none may have is refused without one', async () => {
    const rig = connected();
    rig.server.send('{"jsonrpc":"2.0","id":1.5,"method":"x","method":"x"}');
    await nextTurn();
    expect(rig.server.received).toEqual([expect.stringContaining('"id":null,"error":{"code":-32600')]);
  });
});
