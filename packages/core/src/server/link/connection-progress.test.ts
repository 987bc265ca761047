import { describe, expect, it } from 'vitest';

import { connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count","_meta":{"progressToken":"t"}}}';

function progress(token: string, step = 1): string {
  return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":${step},"progressToken":${token}}}`;
}

async function callTimes({ connection }: Connected, count: number): Promise<RecordingSink[]> {
  const sinks = Array.from({ length: count }, () => new RecordingSink());
  for (const sink of sinks) connection.calls.sendCall(outgoingCall(CALL), sink);
  await nextTurn();
  return sinks;
}

describe('progress', () => {
  it('reaches the call whose token it names, with the place of the token', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2);
    rig.server.send(progress('2'), progress('1'));
    await nextTurn();
    expect(sinks.map(({ events }) => events)).toEqual([
      [{ progress: progress('1'), token: '1' }],
      [{ progress: progress('2'), token: '2' }],
    ]);
  });

  it('D7: that comes in one piece with the response is told before it, in order', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    const response = '{"jsonrpc":"2.0","id":1,"result":{}}';
    rig.server.send(progress('1', 1), progress('1', 2), response);
    await nextTurn();
    expect(sink?.events).toEqual([
      { progress: progress('1', 1), token: '1' },
      { progress: progress('1', 2), token: '1' },
      { response, id: '1' },
    ]);
  });

  it('D8: that comes after the response is dropped', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.answer(1, '{}');
    rig.server.send(progress('1'));
    await nextTurn();
    expect(sink?.events).toHaveLength(1);
    expect(rig.connection.droppedLineCount).toBe(1);
  });

  it.each(['2', '"x"', '1.5', 'null', '[1]'])(
    'D8: with the token %s is for nobody while 1 is pending',
    async (token) => {
      const rig = connected();
      const [sink] = await callTimes(rig, 1);
      rig.server.send(progress(token));
      await nextTurn();
      expect(sink?.events).toEqual([]);
      expect(rig.connection.droppedLineCount).toBe(1);
    },
  );

  it('without a token is dropped', async () => {
    const rig = connected();
    const [sink] = await callTimes(rig, 1);
    rig.server.send('{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}');
    rig.server.send('{"jsonrpc":"2.0","method":"notifications/progress"}');
    await nextTurn();
    expect(sink?.events).toEqual([]);
    expect(rig.connection.droppedLineCount).toBe(2);
  });

  it('on a request of mcpmux itself is ignored', async () => {
    const { connection, server } = connected();
    const listed = connection.request('tools/list', {}, 1000);
    await nextTurn();
    server.send(progress('1'));
    server.answer(1, '{"tools":[]}');
    await expect(listed).resolves.toMatchObject({ line: expect.any(Buffer) });
  });
});

describe('a notification', () => {
  it('other than progress is told to the owner by its method', async () => {
    const rig = connected();
    rig.server.send(
      '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}',
      '{"jsonrpc":"2.0","method":"x-vendor/anything","params":[1]}',
    );
    await nextTurn();
    expect(rig.notifications).toEqual([
      'notifications/tools/list_changed',
      'notifications/message',
      'x-vendor/anything',
    ]);
    expect(rig.connection.droppedLineCount).toBe(0);
  });

  it('keeps its place between responses', async () => {
    const rig = connected();
    const seen: string[] = [];
    const sink = new RecordingSink();
    rig.connection.calls.sendCall(outgoingCall(CALL), {
      exchange: { client: sink },
      onProgress: () => undefined,
      onResponse: () => seen.push(`response after ${rig.notifications.length} notifications`),
      fail: () => undefined,
    });
    const notification = '{"jsonrpc":"2.0","method":"notifications/message","params":{}}';
    rig.server.send(notification, '{"jsonrpc":"2.0","id":1,"result":{}}', notification);
    await nextTurn();
    expect(seen).toEqual(['response after 1 notifications']);
    expect(rig.notifications).toHaveLength(2);
  });
});
