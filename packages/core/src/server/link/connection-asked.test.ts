import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS, NO_MASK, nullLogger } from '@mcpmux/kit';
import type { RawId } from '@mcpmux/wire';
import { outgoingCall } from '../../testing/connected.js';
import { ManualChannel } from '../../testing/manual-channel.js';
import { DIALECT } from '../../testing/dialect.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RecordingSink } from '../../testing/recording-sink.js';
import { Connection } from './connection.js';

const ASK = '{"jsonrpc":"2.0","id":"s1","method":"roots/list"}';
const WITHDRAW = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s1"}}';

interface Rig {
  readonly channel: ManualChannel;
  readonly connection: Connection;
  /** The ids of the requests that were handed on. */
  readonly ids: readonly RawId[];
  /** What whoever brings them to a client was told. */
  readonly reported: readonly string[];
}

/** A connection whose requests are all brought to a client that has not answered yet. */
function asked(): Rig {
  const channel = new ManualChannel();
  const ids: RawId[] = [];
  const reported: string[] = [];
  const connection: Connection = new Connection(
    channel,
    {
      inbox: {
        onNotification: (line) => void reported.push(`notification ${line.toString('utf8')}`),
        onRequest: (_line, _request, id) => {
          ids.push(id);
          connection.requests.expectAnswer(id, {
            onCancelled: (line, { start, end }) =>
              void reported.push(`withdrawn ${line.toString('utf8', start, end)}`),
            onRunEnd: () => void reported.push('abandoned'),
          });
        },
      },
      onEnd: () => undefined,
      onStrayLine: () => undefined,
    },
    {
      clock: new ManualClock(),
      logger: nullLogger,
      limits: DEFAULT_LIMITS,
      dialect: DIALECT,
      server: 'echo',
      mask: NO_MASK,
    },
  );
  connection.open();
  return { channel, connection, ids, reported };
}

/** Answers every request that was handed on. */
function answerAll({ connection, ids }: Rig, text: string): void {
  for (const id of ids) connection.requests.respond(id, () => Buffer.from(text));
}

describe('a request of a server that is with a client', () => {
  it('A10: is answered once', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    answerAll(rig, 'first');
    answerAll(rig, 'second');
    expect(rig.channel.sent).toEqual(['first']);
    expect(rig.ids).toEqual(['"s1"']);
  });

  it('S9: is followed by lines that do not answer it, until it is answered', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    const report = (text: string): void => {
      for (const id of rig.ids) rig.connection.requests.sendProgress(id, () => Buffer.from(text));
    };
    report('progress 1');
    report('progress 2');
    answerAll(rig, 'answer');
    report('progress 3');
    expect(rig.channel.sent).toEqual(['progress 1', 'progress 2', 'answer']);
  });

  it('S9: is withdrawn by the server: whoever brings it is told, and nothing is sent any more', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    rig.channel.receive(WITHDRAW);
    rig.channel.receive(WITHDRAW);
    answerAll(rig, 'late');
    expect(rig.reported).toEqual(['withdrawn "s1"']);
    expect(rig.channel.sent).toEqual([]);
  });

  it.each(['{"requestId":"s2"}', '{"requestId":1.5}', '{"requestId":{}}', '{}'])(
    'S9: is not withdrawn by a notification with the params %s',
    (params) => {
      const rig = asked();
      rig.channel.receive(ASK);
      rig.channel.receive(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`);
      answerAll(rig, 'answer');
      expect(rig.reported).toEqual([]);
      expect(rig.channel.sent).toEqual(['answer']);
    },
  );

  it('A10: is answered once: one with the same id that cannot be read is refused without it', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    rig.channel.receive('{"jsonrpc":"2.0","id":"s1","method":"x","method":"x"}');
    answerAll(rig, 'answer');
    expect(rig.channel.sent).toEqual([expect.stringContaining('"id":null,"error"'), 'answer']);
  });

  it('is one of its kind: another with the same id is refused, and the first is still answered', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    rig.channel.receive(ASK);
    expect(rig.ids).toHaveLength(1);
    expect(rig.channel.sent.map((line): unknown => JSON.parse(line))).toEqual([
      {
        jsonrpc: '2.0',
        id: 's1',
        error: { code: -32_600, message: 'a request with id "s1" is already in flight' },
      },
    ]);
    answerAll(rig, 'answer');
    expect(rig.channel.sent.at(-1)).toBe('answer');
  });

  it('may have the id of one that was answered, or that was withdrawn', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    answerAll(rig, 'answer');
    rig.channel.receive(ASK);
    rig.channel.receive(WITHDRAW);
    rig.channel.receive(ASK);
    expect(rig.ids).toHaveLength(3);
    expect(rig.channel.sent).toEqual(['answer']);
  });

  it('B15: with the id "1" is another one than with the id 1', () => {
    const rig = asked();
    rig.channel.receive('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
    rig.channel.receive('{"jsonrpc":"2.0","id":"1","method":"roots/list"}');
    expect(rig.ids).toEqual(['1', '"1"']);
  });

  it('M7: is abandoned when the run ends: whoever brings it is told once', () => {
    const rig = asked();
    rig.channel.receive(ASK);
    rig.connection.failAll({ kind: 'removed' });
    rig.connection.failAll({ kind: 'removed' });
    answerAll(rig, 'late');
    expect(rig.reported).toEqual(['abandoned']);
    expect(rig.channel.sent).toEqual([]);
  });
});

describe('whoever waits for a server', () => {
  it('A10: is named once for each call, until it is answered', () => {
    const { channel, connection } = asked();
    const [first, second] = [new RecordingSink(), new RecordingSink()];
    const call = outgoingCall('{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"x"}}');
    for (const sink of [first, first, second]) connection.calls.sendCall(call, sink);
    expect([...connection.calls.callOrigins()]).toEqual([first.exchange, first.exchange, second.exchange]);
    channel.receive('{"jsonrpc":"2.0","id":1,"result":{}}');
    expect([...connection.calls.callOrigins()]).toEqual([first.exchange, second.exchange]);
    connection.failAll({ kind: 'removed' });
    expect([...connection.calls.callOrigins()]).toEqual([]);
  });

  it('S12: gets a line to the server as it is', () => {
    const { channel, connection } = asked();
    connection.send(Buffer.from('{"jsonrpc": "2.0","method":"notifications/roots/list_changed"}\n'));
    expect(channel.sent).toEqual(['{"jsonrpc": "2.0","method":"notifications/roots/list_changed"}']);
  });
});
