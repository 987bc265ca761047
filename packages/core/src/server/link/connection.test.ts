import { describe, expect, it } from 'vitest';

import { connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL = '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo__echo"}}';

/** Makes calls and returns who made them, by the ids that the server was sent: 1, 2, 3, … */
async function callTimes({ connection }: Connected, count: number): Promise<RecordingSink[]> {
  const sinks = Array.from({ length: count }, () => new RecordingSink());
  for (const sink of sinks) connection.calls.sendCall(outgoingCall(CALL), sink);
  await nextTurn();
  return sinks;
}

describe('a call', () => {
  it('leaves as it came, but for its id, its progress token and its name', async () => {
    const { connection, server } = connected();
    const line =
      '{ "id": "a\\u0062",  "x-unknown": 1.0, "method":"tools/call","jsonrpc":"2.0",' +
      '"params":{"_meta":{"z":1e400,"progressToken":"token"},"name":"echo__echo","arguments":{"n":9007199254740993}}}';
    connection.calls.sendCall(outgoingCall(line, 'echo'), new RecordingSink());
    await nextTurn();
    expect(server.received).toEqual([
      '{ "id": 1,  "x-unknown": 1.0, "method":"tools/call","jsonrpc":"2.0",' +
        '"params":{"_meta":{"z":1e400,"progressToken":1},"name":"echo","arguments":{"n":9007199254740993}}}',
    ]);
  });

  it('gets an id of its own, whatever id the client gave it', async () => {
    const rig = connected();
    const ids = [1, 2, 3].map(() => rig.connection.calls.sendCall(outgoingCall(CALL), new RecordingSink()));
    await nextTurn();
    expect(ids).toEqual([1, 2, 3]);
    expect(rig.server.received).toEqual(['1', '2', '3'].map((id) => CALL.replace('"a"', id)));
  });

  it('shares the ids with the requests of mcpmux itself', async () => {
    const { connection, server } = connected();
    void connection.request('ping', undefined, 1000);
    connection.calls.sendCall(outgoingCall(CALL), new RecordingSink());
    void connection.request('tools/list', { cursor: '' }, 1000);
    await nextTurn();
    expect(server.received).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      CALL.replace('"a"', '2'),
      '{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":""}}',
    ]);
  });
});

describe('a response', () => {
  it('reaches the caller as the line it came as', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    const line = '{"result":{"n":1.0, "m":9007199254740993},"jsonrpc":"2.0","id":1}';
    rig.server.send(line);
    await nextTurn();
    expect(sink?.events).toEqual([{ response: line, id: '1' }]);
  });

  it('may be an error', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    const line = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":{"x":1.0}}}';
    rig.server.send(line);
    await nextTurn();
    expect(sink?.events).toEqual([{ response: line, id: '1' }]);
  });

  it('may come out of order', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    for (const id of [3, 1, 2]) rig.server.answer(id, `"for ${id}"`);
    await nextTurn();
    expect(sinks.map(({ events }) => events)).toEqual(
      [1, 2, 3].map((id) => [
        { response: `{"jsonrpc":"2.0","id":${id},"result":"for ${id}"}`, id: String(id) },
      ]),
    );
  });

  it('B13: counts once: a second one to the same request is dropped', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.answer(1, '"first"');
    rig.server.answer(1, '"second"');
    await nextTurn();
    expect(sink?.events).toMatchObject([{ response: expect.stringContaining('first') }]);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it.each(['0', '2', '-1', '99999999999999999999', '1.5', '" 1 "', '""', 'null', 'true', '[1]', '{"id":1}'])(
    'B14, B15: with the id %s is for nobody while 1 is pending',
    async (id) => {
      const rig = connected();
      const [sink] = await callTimes(rig, 1);
      rig.server.send(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      await nextTurn();
      expect(sink?.events).toEqual([]);
      expect(rig.connection.droppedLineCount).toBe(1);
      rig.server.answer(1, '{}');
      await nextTurn();
      expect(sink?.events).toHaveLength(1);
    },
  );

  it.each(['1.0', '1e0', '10e-1'])(
    'B15: with the id %s is to request 1: it is the same number',
    async (id) => {
      const rig = connected();
      const [sink] = await callTimes(rig, 1);
      rig.server.send(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      await nextTurn();
      expect(sink?.events).toMatchObject([{ id }]);
    },
  );

  it('B16: without "jsonrpc":"2.0" is taken all the same', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.send('{"id":1,"result":{}}');
    await nextTurn();
    expect(sink?.events).toHaveLength(1);
  });

  it('with the result null is a result', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.answer(1, 'null');
    await nextTurn();
    expect(sink?.events).toMatchObject([{ id: '1' }]);
  });

  it('B28: without result and error ends the call at once', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.send('{"jsonrpc":"2.0","id":1}');
    await nextTurn();
    expect(sink?.events).toEqual([
      { failure: { kind: 'unreadable-response', problem: 'it has neither a result nor an error' } },
    ]);
  });
});

describe('the end of a connection', () => {
  it('is told to its owner', async () => {
    const { server, ends } = connected();
    server.close();
    await nextTurn();
    expect(ends).toEqual([{ reason: 'closed' }]);
  });

  it('answers each call that still waits, once', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 3);
    rig.server.answer(2, '{}');
    await nextTurn();
    rig.connection.failAll({ kind: 'removed' });
    rig.connection.failAll({ kind: 'shut-down' });
    expect(sinks.map(({ events }) => events)).toEqual([
      [{ failure: { kind: 'removed' } }],
      [expect.objectContaining({ id: '2' })],
      [{ failure: { kind: 'removed' } }],
    ]);
  });

  it('may come in the middle of the answers: a caller that calls again gets the reason', () => {
    const rig = connected();
    const again: unknown[] = [];
    const sink = new RecordingSink();
    rig.connection.calls.sendCall(outgoingCall(CALL), {
      exchange: { client: sink },
      onProgress: () => undefined,
      onResponse: () => undefined,
      fail: () => again.push(rig.connection.calls.sendCall(outgoingCall(CALL), sink)),
    });
    rig.connection.failAll({ kind: 'reloaded' });
    expect(again).toEqual([{ kind: 'reloaded' }]);
  });

  it('is idle as soon as nobody waits', async () => {
    const rig = connected();
    await rig.connection.calls.whenIdle();
    await callTimes(rig, 2);
    let isIdle = false;
    const idle = rig.connection.calls.whenIdle().then(() => (isIdle = true));
    rig.server.answer(1, '{}');
    await nextTurn();
    expect(isIdle).toBe(false);
    rig.server.answer(2, '{}');
    await idle;
    expect(isIdle).toBe(true);
  });
});
