import { describe, expect, it } from 'vitest';

import { Redactor } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';

import { connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { RecordingSink } from '../../testing/recording-sink.js';

const SECRET = 'Kx9-secretVALUE/+=42zz-QQ';
const CALL = '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"echo__echo"}}';

function called({ connection }: Connected): RecordingSink {
  const sink = new RecordingSink();
  connection.calls.sendCall(outgoingCall(CALL), sink);
  return sink;
}

describe('an answer of a server that differs from the protocol', () => {
  it('F1: holds no byte that is not UTF-8', async () => {
    const rig = connected();
    const sink = called(rig);
    rig.connection.line(Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"text":"caf\xe9"}}', 'latin1'));
    await nextTurn();
    expect(sink.events).toEqual([
      { response: '{"jsonrpc":"2.0","id":1,"result":{"text":"caf\ufffd"}}', id: '1' },
    ]);
    expect(rig.connection.deviations.warnings.join('')).toContain('not UTF-8');
  });

  it('F5: reaches the call whose id it has as text', async () => {
    const rig = connected();
    const sink = called(rig);
    rig.server.send('{"jsonrpc":"2.0","id":"1","result":{}}');
    await nextTurn();
    expect(sink.events).toEqual([{ response: '{"jsonrpc":"2.0","id":"1","result":{}}', id: '"1"' }]);
    expect(rig.connection.deviations.warnings.join('')).toContain('ids as text');
  });

  it.each([
    ['{"jsonrpc":"2.0","id":1,"result":{"a":1},"error":null}', '{"jsonrpc":"2.0","id":1,"result":{"a":1}}'],
    ['{"error":null,"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    [
      '{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":-1,"message":"no"}}',
      '{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}',
    ],
    ['{"id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['{"jsonrpc":"1.0","id":1,"result":{},"error":null}', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ])('F7: is sent on as strict clients read it: %s', async (sent, read) => {
    const rig = connected();
    const sink = called(rig);
    rig.server.send(sent);
    await nextTurn();
    expect(sink.events).toEqual([{ response: read, id: '1' }]);
    expect(rig.connection.deviations.warnings).not.toEqual([]);
  });

  it('F8: is the answer to the only request in flight, if it is an error without an id', async () => {
    const rig = connected();
    const sink = called(rig);
    const line = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"license expired"}}';
    rig.server.send(line);
    await nextTurn();
    expect(sink.events).toEqual([{ response: line, id: 'null' }]);
  });

  it('F8: is a text for people, if it is an error without an id and several requests are in flight', async () => {
    const rig = connected();
    const sinks = [called(rig), called(rig)];
    rig.server.send('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"license expired"}}');
    await nextTurn();
    expect(sinks.flatMap(({ events }) => events)).toEqual([]);
    expect(rig.stray.join('')).toContain('license expired');
  });

  it('is a text for people, if no request had its id; a late answer is none', async () => {
    const rig = connected();
    const id = rig.connection.calls.sendCall(outgoingCall(CALL), new RecordingSink());
    rig.connection.calls.abandon(Number(id));
    rig.server.send(
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"x7","result":{"of":"a client"}}',
    );
    await nextTurn();
    expect(rig.stray).toEqual(['a response with an id that no request has: "x7"']);
    expect(rig.connection.droppedLineCount).toBe(2);
  });

  it('W4: is told without the secrets of the server, wherever its text is cut', async () => {
    const mask = new Redactor([SECRET]);
    for (const before of [0, 270, 990]) {
      const rig = connected({}, mask);
      const sinks = [called(rig), called(rig)];
      const words = `"${'x'.repeat(before)}${SECRET}"`;
      rig.server.send(
        `{"jsonrpc":"2.0","id":1,"error":${words}}`,
        `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":${words}}}`,
        `{"jsonrpc":"2.0","id":${words},"result":{}}`,
      );
      // With two requests in flight, the error without an id answers none of them.
      called(rig);
      await nextTurn();
      const reported = JSON.stringify([sinks.map(({ events }) => events), rig.stray]);
      expect(rig.stray).toHaveLength(2);
      for (let length = 8; length <= SECRET.length; length += 1)
        expect(reported).not.toContain(SECRET.slice(0, length));
    }
  });

  it.each(['"no way"', '{"code":"E1","message":"no way"}', '{"code":1,"reason":"no way"}'])(
    'W4: fails its call with the words of the server, if its error has an odd shape: %s',
    async (error) => {
      const rig = connected();
      const sink = called(rig);
      rig.server.send(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
      await nextTurn();
      expect(sink.events).toMatchObject([
        { failure: { kind: 'unreadable-response', problem: expect.stringContaining('no way') as unknown } },
      ]);
    },
  );
});
