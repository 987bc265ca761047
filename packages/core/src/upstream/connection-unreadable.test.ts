import { describe, expect, it } from 'vitest';

import { connected, outgoingCall, type Connected } from '../testing/connected.js';
import { nextTurn } from '../testing/next-turn.js';
import { RecordingSink } from '../testing/recording-sink.js';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"broken"}}';

async function callTimes({ connection }: Connected, count: number): Promise<RecordingSink[]> {
  const sinks = Array.from({ length: count }, () => new RecordingSink());
  for (const sink of sinks) connection.call(outgoingCall(CALL), sink);
  await nextTurn();
  return sinks;
}

/** Which of the callers were told of an unreadable response, by id. */
function failed(sinks: readonly RecordingSink[]): number[] {
  return sinks.flatMap(({ events }, index) => {
    const isFailed = events.some(
      (event) => 'failure' in event && event.failure.kind === 'unreadable-response',
    );
    return isFailed ? [index + 1] : [];
  });
}

describe('a line that cannot be read', () => {
  it.each([
    ['that breaks off', '{"jsonrpc":"2.0","id":2,"result":{"content":[', [2]],
    ['with a raw control character', '{"jsonrpc":"2.0","id":2,"result":"\u0001"}', [2]],
    ['that is no JSON before another id', '{"jsonrpc":"2.0","id":2,"result":tru,"id":1}', [2]],
    ['with a method that is none', '{"jsonrpc":"2.0","id":2,"method":null,"result":1}', [2]],
    [
      'that another one has broken off',
      '{"jsonrpc":"2.0","id":9,"res{"jsonrpc":"2.0","id":2,"result":{}}',
      [2],
    ],
    ['that holds two results', '{"jsonrpc":"2.0","id":2,"result":1,"result":2}', [2]],
  ])('B11: %s fails the call it answers', async (_, line, ids) => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual(ids);
    expect(rig.connection.dropped).toBe(1);
  });

  it('C1: that is the last of a server, and half an answer, leaves it to the end of the run to say why', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.line(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{"content":['), true);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
    rig.connection.line(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{}}'), true);
    expect(sinks[1]?.events).toHaveLength(1);
  });

  it.each([
    ['that holds no id', 'Example Server v1.0'],
    ['with an id that nobody waits for', '{"jsonrpc":"2.0","id":77,"result":{'],
    ['with an id that is a string', '{"jsonrpc":"2.0","id":"2","result":{'],
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
    expect(rig.connection.dropped).toBe(1);
    rig.server.answer(2, '{}');
    await nextTurn();
    expect(sinks[1]?.events).toHaveLength(1);
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
    expect(rig.connection.dropped).toBe(0);
  });

  it('is for nobody when nobody waits for it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 1);
    rig.server.send(`log: ${RESPONSE}`);
    await nextTurn();
    expect(sinks[0]?.events).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
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
    expect(rig.connection.dropped).toBe(2);
  });
});

describe('a line above the limit', () => {
  const oversized = (head: string, tail = ''): Parameters<Connected['connection']['oversized']>[0] => ({
    length: 11_000_000,
    head: Buffer.from(head),
    tail: Buffer.from(tail),
  });

  it.each([
    ['its beginning', oversized('{"jsonrpc":"2.0","id":2,"result":{"text":"xxx', 'xxx"}}')],
    ['its end', oversized('{"result":{"text":"xxx', 'xxx"},"jsonrpc":"2.0","id":2}')],
    [
      'its beginning, as a fraction',
      oversized('{"jsonrpc":"2.0","id":2.0,"result":[{"id":1},"xxx', 'xxx"]}'),
    ],
    [
      'its end, which begins within an object that names a method',
      oversized('{"result":{"rows":[', '{"method":"GET","n":3}]},"id":2}'),
    ],
    ['its end, beside a method that is null', oversized('{"result":"xxx', 'xxx","id":2,"method":null}')],
    [
      'its end, behind other ids',
      oversized('{"result":[{"id":1},', '{"id":3},{"id":1}],"id":2,"jsonrpc":"2.0"}'),
    ],
  ])('B6: fails the call whose id stands at %s', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.connection.oversized(line);
    expect(sinks.map(({ events }) => events)).toEqual([
      [],
      [
        {
          failure: {
            kind: 'unreadable-response',
            problem: 'a line of 11000000 bytes is above the limit of 10000000',
          },
        },
      ],
      [],
    ]);
  });

  it.each([
    ['is cut in two', oversized('{"jsonrpc":"2.0","id":1', '2,"result":{"text":"xxx"}}')],
    ['is cut in two, whatever others stand in it', oversized('{"result":[{"id":1}],"id":1', '2,"x":"xxx"}')],
    ['is one of two, of which one is no JSON', oversized('{"id":1,"result":"xxx', 'xxx","id":tru}')],
    ['is no JSON', oversized('{"id":2x,"result":[{"id":1},"xxx', 'xxx"]}')],
    ['seems to end where the rest begins', oversized('{"result":{"a":"xxx","id":1', ',"b":"xxx"}}')],
    ['is data of a notification', oversized('{"params":[{"id":1},"xxx', 'xxx"],"method":"x"}')],
    ['is not the only one', oversized('{"id":1,"result":"xxx', 'xxx","id":2}')],
    ['is that of a call that does not wait', oversized('{"id":9,"result":{"rows":[{"id":2},"xxx', 'xxx"]}}')],
    [
      'stands at its end, of a call that does not wait',
      oversized('{"result":[{"id":2},"xxx', 'xxx"],"id":9}'),
    ],
    ['is a text', oversized('{"id":"a","result":{"rows":[{"id":2},"xxx', 'xxx"]}}')],
  ])('B6: fails nobody when its id %s', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(line);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
  });

  it.each([
    ['and its method first', oversized('{"method":"x","params":{"text":"xxx', 'xxx"},"id":1}')],
    [
      'and its id before its method',
      oversized('{"id":1,"jsonrpc":"2.0","method":"x","params":{"a":"xxx', 'xxx"}}'),
    ],
    ['and its id first, its method last', oversized('{"id":1,"params":"xxx', 'xxx","method":"x"}')],
    ['and its id behind its method, at the end', oversized('{"params":"xxx', 'xxx","method":"x","id":1}')],
  ])('B6: that is a request of the server %s fails nobody and is refused', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(JSON.parse(rig.server.received.at(-1) ?? '')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_600, message: 'a line of 11000000 bytes is above the limit of 10000000' },
    });
  });

  it('B6: fails the only call that it may answer when its own id is in neither end', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(oversized('{"result":{"a":"xxx', '"id":2,"x":1},"_meta":{}}'));
    expect(failed(sinks)).toEqual([2]);
  });

  it('C1: that is the last of a server, and cut, leaves it to the end of the run to say why', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(oversized('{"result":{"rows":[{"x":"xxx', 'xxx"},{"id":2}'), true);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
  });

  it('B6: fails nobody when no id is left of it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(oversized('{"jsonrpc":"2.0","method":"notifications/message"', '"}}'));
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
  });

  it('that answers a request of mcpmux itself fails it with the reason', async () => {
    const { connection } = connected();
    const listed = connection.request('tools/list', {}, 1000);
    connection.oversized(oversized('{"jsonrpc":"2.0","id":1,"result":{"tools":['));
    await expect(listed).rejects.toMatchObject({
      name: 'OwnRequestError',
      timedOut: false,
      message: 'a line of 11000000 bytes is above the limit of 10000000',
    });
  });
});

describe('a response that cannot be read and names its call', () => {
  const deep = `${'['.repeat(300)}${']'.repeat(300)}`;

  it.each([
    ['nests too deeply', `{"jsonrpc":"2.0","id":2,"result":{"id":1,"x":${deep}}}`],
    ['has an error without a code', '{"jsonrpc":"2.0","id":2,"error":{"message":"no"}}'],
    ['has an error with a text as code', '{"jsonrpc":"2.0","id":2,"error":{"code":"E1","message":"no"}}'],
    ['has an error that is a text', '{"jsonrpc":"2.0","id":2,"error":"no"}'],
    ['has a result and an error', '{"jsonrpc":"2.0","id":2,"result":{},"error":{"code":1,"message":"no"}}'],
  ])('B28: because it %s fails that call and no other', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([2]);
  });

  it.each([
    ['answers a call that does not wait', `{"id":9,"result":[{"id":2},${deep}]}`],
    ['has two ids', `{"id":1,"result":${deep},"id":2}`],
    ['has an id that is none', `{"id":${deep},"result":{"id":2}}`],
    ['is a notification', `{"params":[{"id":2},${deep}],"method":"x"}`],
  ])('B28: and %s fails nobody', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.dropped).toBe(1);
  });

  it.each([
    ['nests too deeply', `{"jsonrpc":"2.0","id":1,"params":${deep},"method":"sampling/createMessage"}`],
    ['names its method twice', '{"jsonrpc":"2.0","params":{},"id":1,"method":"x","method":"x"}'],
    ['breaks off', '{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"a'],
    ['breaks off in its method', '{"jsonrpc":"2.0","id":1,"method":"sampling/crea'],
  ])('B28: but is a request that %s fails nobody and is refused', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(line);
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(JSON.parse(rig.server.received.at(-1) ?? '')).toMatchObject({ id: 1, error: { code: -32_600 } });
  });

  it('B6: because it is too long fails that call, whatever ids its result begins with', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    const head = Buffer.from('{"jsonrpc":"2.0","id":2,"result":{"rows":[{"id":1},{"id":2},');
    rig.connection.oversized({ length: 2e7, head, tail: Buffer.from('"id":1}]}}') });
    expect(failed(sinks)).toEqual([2]);
  });

  it('B6: is no notification that is too long, whatever ids stand in it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 1);
    const head = Buffer.from('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[{"id":1},');
    rig.connection.oversized({ length: 2e7, head, tail: Buffer.from('{}]}}') });
    expect(failed(sinks)).toEqual([]);
  });
});
