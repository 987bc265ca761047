import { describe, expect, it } from 'vitest';

import { MAX_BATCH_MESSAGES } from '@mcpmux/wire';
import { connected, outgoingCall } from '../../testing/connected.js';
import { callTimes, failed } from '../../testing/failed-calls.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL =
  '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}';

async function calledTwice() {
  const rig = connected();
  const sinks = [new RecordingSink(), new RecordingSink()];
  for (const sink of sinks) rig.connection.calls.sendCall(outgoingCall(CALL), sink);
  await nextTurn();
  rig.server.received.splice(0);
  return { ...rig, sinks };
}

describe('a batch of a server', () => {
  it('B12: answers every call it has a response for, byte for byte', async () => {
    const { server, sinks, connection } = await calledTwice();
    server.send(
      '[{"jsonrpc":"2.0","id":2,"result":{"n":1.0}} , {"jsonrpc":"2.0","id":1 ,"result":{"s":"\\u0041"}}]',
    );
    await nextTurn();
    expect(sinks.map(({ events }) => events)).toEqual([
      [{ response: '{"jsonrpc":"2.0","id":1 ,"result":{"s":"\\u0041"}}', id: '1' }],
      [{ response: '{"jsonrpc":"2.0","id":2,"result":{"n":1.0}}', id: '2' }],
    ]);
    expect(connection.droppedLineCount).toBe(0);
  });

  it('B12: is taken in its order: progress before a response arrives before it', async () => {
    const { server, sinks } = await calledTwice();
    const progress = '{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
    server.send(`[${progress},{"jsonrpc":"2.0","id":1,"result":{}},${progress}]`);
    await nextTurn();
    expect(sinks[0]?.events).toEqual([
      { progress, token: '1' },
      { response: '{"jsonrpc":"2.0","id":1,"result":{}}', id: '1' },
    ]);
  });

  it('B12: may mix requests and notifications with responses', async () => {
    const { server, sinks, notifications } = await calledTwice();
    server.send(
      '[{"jsonrpc":"2.0","id":7,"method":"ping"},{"method":"notifications/message"},{"jsonrpc":"2.0","id":2,"result":{}}]',
    );
    await nextTurn();
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":7,"result":{}}']);
    expect(notifications).toEqual(['notifications/message']);
    expect(sinks[1]?.events).toHaveLength(1);
  });

  it('B12: loses the elements that are no messages, counted, and nothing else', async () => {
    const { server, sinks, connection } = await calledTwice();
    server.send(
      '[5,{"jsonrpc":"2.0","id":1,"result":{}},[{"jsonrpc":"2.0","id":2,"result":{"nested":true}}],{"hello":1}]',
    );
    await nextTurn();
    expect(sinks[0]?.events).toEqual([{ response: '{"jsonrpc":"2.0","id":1,"result":{}}', id: '1' }]);
    expect(sinks[1]?.events).toEqual([]);
    expect(connection.droppedLineCount).toBe(3);
  });

  it('B12: answers the calls of any number of responses, and loses the messages above the limit', async () => {
    const rig = connected();
    const sinks = Array.from({ length: 3 * MAX_BATCH_MESSAGES }, () => new RecordingSink());
    for (const sink of sinks) rig.connection.calls.sendCall(outgoingCall(CALL), sink);
    const responses = sinks.map((_, index) => `{"jsonrpc":"2.0","id":${index + 1},"result":{}}`);
    const filling = sinks.map(() => '{"method":"notifications/message"}');
    rig.server.send(`[${filling.join(',')},${responses.join(',')}]`);
    await nextTurn();
    expect(sinks.every(({ events: [event] }) => event !== undefined && 'response' in event)).toBe(true);
    expect(rig.notifications).toHaveLength(MAX_BATCH_MESSAGES);
    expect(rig.connection.droppedLineCount).toBe(2 * MAX_BATCH_MESSAGES);
  });

  it('B12: fails the calls of any number of responses that cannot be read', async () => {
    const rig = connected();
    const sinks = await callTimes(rig, 2 * MAX_BATCH_MESSAGES);
    const responses = sinks.map((_, index) => `{"jsonrpc":"2.0","id":${index + 1},"result":1,"result":2}`);
    rig.server.send(`[${responses.join(',')}]`);
    await nextTurn();
    expect(failed(sinks)).toHaveLength(2 * MAX_BATCH_MESSAGES);
  });

  it('B12: of requests that cannot be read has no more refused than a batch may hold', async () => {
    const rig = connected();
    const broken = Array.from(
      { length: 2 * MAX_BATCH_MESSAGES },
      () => '{"jsonrpc":"2.0","id":1,"method":"","method":""}',
    );
    rig.server.send(`[${broken.join(',')}]`);
    await nextTurn();
    expect(rig.server.received).toHaveLength(MAX_BATCH_MESSAGES);
    expect(rig.connection.droppedLineCount).toBe(2 * MAX_BATCH_MESSAGES);
  });

  it.each([
    [
      'damaged',
      '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":tru},{"jsonrpc":"2.0","id":3,"result":{}}]',
    ],
    ['cut off', '[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}'],
    [
      'nested too deeply',
      `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":${'['.repeat(300)}${']'.repeat(300)}}]`,
    ],
  ])('B12: that is %s answers the whole elements, and fails the call of the broken one', async (_, line) => {
    const { server, sinks, connection } = await calledTwice();
    server.send(line);
    await nextTurn();
    expect(sinks[0]?.events).toEqual([{ response: '{"jsonrpc":"2.0","id":1,"result":{}}', id: '1' }]);
    expect(sinks[1]?.events[0]).toHaveProperty('failure.kind', 'unreadable-response');
    expect(connection.droppedLineCount).toBe(1);
  });

  it('B12: fails the call of its first element when that is damaged: the end of the run tells the others', async () => {
    const { server, sinks } = await calledTwice();
    server.send('[{"jsonrpc":"2.0","id":1,"result":tru},{"jsonrpc":"2.0","id":2,"result":{}}]');
    await nextTurn();
    expect(sinks.map(({ events }) => events.length)).toEqual([1, 0]);
  });

  it('B12: answers a whole element behind a comma that is lost', async () => {
    const { server, sinks } = await calledTwice();
    server.send('[{"jsonrpc":"2.0","id":1,"result":{}} {"jsonrpc":"2.0","id":2,"result":{}}]');
    await nextTurn();
    expect(sinks.map(({ events }) => events.length)).toEqual([1, 1]);
  });

  it('B12: that is in a batch fails nobody', async () => {
    const { server, sinks, connection } = await calledTwice();
    server.send('[[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]]');
    await nextTurn();
    expect(sinks.map(({ events }) => events.length)).toEqual([0, 0]);
    expect(connection.droppedLineCount).toBe(1);
  });
});
