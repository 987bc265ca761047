import { describe, expect, it } from 'vitest';

import { connected, outgoingCall } from '../testing/connected.js';
import { nextTurn } from '../testing/next-turn.js';
import { RecordingSink } from '../testing/recording-sink.js';
import { MAX_BATCH_MESSAGES } from '../wire/batch.js';

const CALL =
  '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","_meta":{"progressToken":"p"}}}';

async function calledTwice() {
  const rig = connected();
  const sinks = [new RecordingSink(), new RecordingSink()];
  for (const sink of sinks) rig.connection.call(outgoingCall(CALL), sink);
  await nextTurn();
  rig.server.received.splice(0);
  return { ...rig, sinks };
}

describe('a batch of a server', () => {
  it('B12: answers every call it has a response for, byte for byte', async () => {
    const { server, sinks, connection } = await calledTwice();
    server.send('[{"jsonrpc":"2.0","id":2,"result":{"n":1.0}} , {"id":1 ,"result":{"s":"\\u0041"}}]');
    await nextTurn();
    expect(sinks.map(({ events }) => events)).toEqual([
      [{ response: '{"id":1 ,"result":{"s":"\\u0041"}}', id: '1' }],
      [{ response: '{"jsonrpc":"2.0","id":2,"result":{"n":1.0}}', id: '2' }],
    ]);
    expect(connection.dropped).toBe(0);
  });

  it('B12: is taken in its order: progress before a response arrives before it', async () => {
    const { server, sinks } = await calledTwice();
    const progress = '{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}';
    server.send(`[${progress},{"id":1,"result":{}},${progress}]`);
    await nextTurn();
    expect(sinks[0]?.events).toEqual([
      { progress, token: '1' },
      { response: '{"id":1,"result":{}}', id: '1' },
    ]);
  });

  it('B12: may mix requests and notifications with responses', async () => {
    const { server, sinks, notifications } = await calledTwice();
    server.send(
      '[{"jsonrpc":"2.0","id":7,"method":"ping"},{"method":"notifications/message"},{"id":2,"result":{}}]',
    );
    await nextTurn();
    expect(server.received).toEqual(['{"jsonrpc":"2.0","id":7,"result":{}}']);
    expect(notifications).toEqual(['notifications/message']);
    expect(sinks[1]?.events).toHaveLength(1);
  });

  it('B12: loses the elements that are no messages, counted, and nothing else', async () => {
    const { server, sinks, connection } = await calledTwice();
    server.send('[5,{"id":1,"result":{}},[{"id":2,"result":{"nested":true}}],{"hello":1}]');
    await nextTurn();
    expect(sinks[0]?.events).toEqual([{ response: '{"id":1,"result":{}}', id: '1' }]);
    expect(sinks[1]?.events).toEqual([
      { failure: { kind: 'unreadable-response', problem: expect.any(String) } },
    ]);
    expect(connection.dropped).toBe(3);
  });

  it('B12: of too many messages is dropped as one line, and the call it alone answers is told', async () => {
    const { server, sinks, connection } = await calledTwice();
    const filling = Array.from({ length: MAX_BATCH_MESSAGES }, () => '{"method":"notifications/message"}');
    server.send(`[{"id":2,"result":{}},${filling.join(',')}]`);
    await nextTurn();
    expect(sinks.map(({ events }) => events.length)).toEqual([0, 1]);
    expect(sinks[1]?.events[0]).toHaveProperty('failure.kind', 'unreadable-response');
    expect(connection.dropped).toBe(1);
  });
});
