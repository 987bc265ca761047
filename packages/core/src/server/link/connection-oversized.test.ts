import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { callTimes, failed } from '../../testing/failed-calls.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { oversizedLine } from '../../testing/oversized-line.js';

describe('a line above the limit', () => {
  it.each([
    ['its beginning', oversizedLine('{"jsonrpc":"2.0","id":2,"result":{"text":"xxx', 'xxx"}}')],
    ['its end', oversizedLine('{"result":{"text":"xxx', 'xxx"},"jsonrpc":"2.0","id":2}')],
    [
      'its end, which begins within an object that names a method',
      oversizedLine('{"result":{"rows":[', '{"method":"GET","n":3}]},"id":2}'),
    ],
    ['its end, before a version', oversizedLine('{"result":"xxx', 'xxx","id":2,"jsonrpc":"2.0"}')],
    [
      'its beginning, beside a method that is null',
      oversizedLine('{"id":2,"method":null,"result":"xxx', 'xxx"}'),
    ],
    [
      'its end, behind other ids',
      oversizedLine('{"result":[{"id":1},', '{"id":3},{"id":1}],"id":2,"jsonrpc":"2.0"}'),
    ],
    [
      'its beginning, as the integer 2.0',
      oversizedLine('{"jsonrpc":"2.0","id":2.0,"result":[{"id":1},"xxx', 'xxx"]}'),
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
    ['is a fraction', oversizedLine('{"jsonrpc":"2.0","id":2.5,"result":[{"id":1},"xxx', 'xxx"]}')],
    ['stands before other members', oversizedLine('{"result":"xxx', 'xxx","id":2,"method":null}')],
    ['stands in neither end', oversizedLine('{"result":{"a":"xxx', '"id":2,"x":1},"_meta":{}}')],
    ['is cut in two', oversizedLine('{"jsonrpc":"2.0","id":1', '2,"result":{"text":"xxx"}}')],
    [
      'is cut in two, whatever others stand in it',
      oversizedLine('{"result":[{"id":1}],"id":1', '2,"x":"xxx"}'),
    ],
    ['is one of two, of which one is no JSON', oversizedLine('{"id":1,"result":"xxx', 'xxx","id":tru}')],
    ['is no JSON', oversizedLine('{"id":2x,"result":[{"id":1},"xxx', 'xxx"]}')],
    ['seems to end where the rest begins', oversizedLine('{"result":{"a":"xxx","id":1', ',"b":"xxx"}}')],
    ['is data of a notification', oversizedLine('{"params":[{"id":1},"xxx', 'xxx"],"method":"x"}')],
    ['is not the only one', oversizedLine('{"id":1,"result":"xxx', 'xxx","id":2}')],
    [
      'is that of a call that does not wait',
      oversizedLine('{"id":9,"result":{"rows":[{"id":2},"xxx', 'xxx"]}}'),
    ],
    [
      'stands at its end, of a call that does not wait',
      oversizedLine('{"result":[{"id":2},"xxx', 'xxx"],"id":9}'),
    ],
    ['is a text', oversizedLine('{"id":"a","result":{"rows":[{"id":2},"xxx', 'xxx"]}}')],
  ])('B6: fails nobody when its id %s', async (_, line) => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(line);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it.each([
    ['and its method first', oversizedLine('{"method":"x","params":{"text":"xxx', 'xxx"},"id":1}')],
    [
      'and its id before its method',
      oversizedLine('{"id":1,"jsonrpc":"2.0","method":"x","params":{"a":"xxx', 'xxx"}}'),
    ],
    ['and its id first, its method last', oversizedLine('{"id":1,"params":"xxx', 'xxx","method":"x"}')],
    [
      'and its id behind its method, at the end',
      oversizedLine('{"params":"xxx', 'xxx","method":"x","id":1}'),
    ],
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

  it.each([
    ['two that differ', oversizedLine('{"id":1,"method":"x","params":"xxx', 'xxx","id":2}')],
    ['one that is cut', oversizedLine('{"method":"x","id":1', '2,"params":"xxx"}')],
    ['one that is none', oversizedLine('{"method":"x","id":1.5,"params":"xxx', 'xxx"}')],
  ])('B6: that is a request of the server, and has for an id %s, is refused without one', async (_, line) => {
    const rig = connected();
    rig.connection.oversized(line);
    await nextTurn();
    expect(rig.server.received).toEqual([expect.stringContaining('"id":null,"error":{"code":-32600')]);
  });

  it('C1: that is the last of a server, and cut, leaves it to the end of the run to say why', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(oversizedLine('{"result":{"rows":[{"x":"xxx', 'xxx"},{"id":2}'), true);
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('B6: fails nobody when no id is left of it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(oversizedLine('{"result":{"a":"xxx', 'xxx"}}'));
    expect(failed(sinks)).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it('that answers a request of mcpmux itself fails it with the reason', async () => {
    const { connection } = connected();
    const listed = connection.request('tools/list', {}, 1000);
    connection.oversized(oversizedLine('{"jsonrpc":"2.0","id":1,"result":{"tools":['));
    await expect(listed).rejects.toMatchObject({
      name: 'OwnRequestError',
      timedOut: false,
      message: 'a line of 11000000 bytes is above the limit of 10000000',
    });
  });

  it('B6: fails its call, whatever ids its result begins with', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.connection.oversized(
      oversizedLine('{"jsonrpc":"2.0","id":2,"result":{"rows":[{"id":1},{"id":2},', '"id":1}]}}'),
    );
    expect(failed(sinks)).toEqual([2]);
  });

  it('B6: that is a notification fails nobody and is not answered, whatever ids stand in it', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 1);
    rig.connection.oversized(
      oversizedLine('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":[{"id":1},', '{}]}}'),
    );
    await nextTurn();
    expect(failed(sinks)).toEqual([]);
    expect(rig.server.received).toHaveLength(1);
  });
});
