import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS, NO_MASK, nullLogger } from '@mcpmux/kit';
import { type Channel, memoryChannels } from '@mcpmux/wire';
import { connected, outgoingCall } from '../../testing/connected.js';
import { DIALECT } from '../../testing/dialect.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';
import { Connection } from './connection.js';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}';

/** A channel that goes nowhere and is as full as the test says. */
class FullChannel implements Channel {
  queuedBytes = 0;
  readonly saturated = false;

  open(): void {}
  send(): void {}
  pause(): void {}
  resume(): void {}
  destroy(): void {}

  end(): Promise<void> {
    return Promise.resolve();
  }
}

describe('a busy server', () => {
  it('D25: is sent no more calls than the limit allows at once', async () => {
    const { connection, server } = connected({ maxPendingPerServer: 2 });
    const ids = [1, 2, 3].map(() => connection.calls.sendCall(outgoingCall(CALL), new RecordingSink()));
    await nextTurn();
    expect(ids).toEqual([1, 2, { kind: 'busy', problem: '2 calls are in flight' }]);
    expect(server.received).toHaveLength(2);
  });

  it('is sent calls again as soon as it has answered one', async () => {
    const { connection, server } = connected({ maxPendingPerServer: 1 });
    connection.calls.sendCall(outgoingCall(CALL), new RecordingSink());
    server.answer(1, '{}');
    await nextTurn();
    expect(connection.calls.sendCall(outgoingCall(CALL), new RecordingSink())).toBe(2);
  });

  it('C3, C6: that does not read is sent no more calls than the limit allows bytes', () => {
    const channel = new FullChannel();
    const connection = new Connection(
      channel,
      {
        inbox: { onNotification: () => undefined, onRequest: () => undefined },
        onEnd: () => undefined,
        onStrayLine: () => undefined,
      },
      {
        clock: new ManualClock(),
        logger: nullLogger,
        limits: { ...DEFAULT_LIMITS, maxServerQueueBytes: 1000 },
        dialect: DIALECT,
        server: 'echo',
        mask: NO_MASK,
      },
    );
    channel.queuedBytes = 1000;
    expect(connection.calls.sendCall(outgoingCall(CALL), new RecordingSink())).toBe(1);
    channel.queuedBytes = 1001;
    expect(connection.calls.sendCall(outgoingCall(CALL), new RecordingSink())).toEqual({
      kind: 'busy',
      problem: 'it has not read 1001 bytes sent to it',
    });
    channel.queuedBytes = 0;
    expect(connection.calls.sendCall(outgoingCall(CALL), new RecordingSink())).toBe(2);
  });

  it('is sent the requests of mcpmux itself all the same', async () => {
    const { connection, server } = connected({ maxPendingPerServer: 0 });
    void connection.request('tools/list', {}, 1000);
    await nextTurn();
    expect(server.received).toHaveLength(1);
  });
});

describe('a reader that cannot take more', () => {
  it('makes the server wait while nobody else waits for it', async () => {
    const { connection, server } = connected();
    const sink = new RecordingSink();
    connection.calls.sendCall(outgoingCall(CALL), sink);
    connection.calls.pauseOutput(sink.exchange.client);
    server.answer(1, '{}');
    await nextTurn();
    expect(sink.events).toEqual([]);
    connection.calls.resumeOutput(sink.exchange.client);
    await nextTurn();
    expect(sink.events).toHaveLength(1);
  });

  it('makes nobody wait who has a call in flight', async () => {
    const { connection, server } = connected();
    const [slow, other] = [new RecordingSink(), new RecordingSink()];
    connection.calls.sendCall(outgoingCall(CALL), slow);
    connection.calls.sendCall(outgoingCall(CALL), other);
    connection.calls.pauseOutput(slow.exchange.client);
    server.answer(2, '{}');
    await nextTurn();
    expect(other.events).toHaveLength(1);
  });

  it('makes nobody wait who calls the server afterwards', async () => {
    const { connection, server } = connected();
    const [slow, other] = [new RecordingSink(), new RecordingSink()];
    connection.calls.sendCall(outgoingCall(CALL), slow);
    connection.calls.pauseOutput(slow.exchange.client);
    connection.calls.sendCall(outgoingCall(CALL), other);
    server.answer(2, '{}');
    await nextTurn();
    expect(other.events).toHaveLength(1);
  });

  it('does not keep mcpmux from reading the tools of the server', async () => {
    const { connection, server } = connected();
    const slow = new RecordingSink();
    connection.calls.sendCall(outgoingCall(CALL), slow);
    connection.calls.pauseOutput(slow.exchange.client);
    const listed = connection.request('tools/list', {}, 1000);
    server.answer(2, '{"tools":[]}');
    await expect(listed).resolves.toMatchObject({ line: expect.any(Buffer) });
  });
});

describe('a connection', () => {
  it('is given nothing before it is opened', async () => {
    const [near, far] = memoryChannels();
    const seen: string[] = [];
    const connection = new Connection(
      near,
      {
        inbox: { onNotification: (_line, { method }) => seen.push(method), onRequest: () => undefined },
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
    far.send(Buffer.from('{"jsonrpc":"2.0","method":"early"}\n'));
    await nextTurn();
    expect(seen).toEqual([]);
    connection.open();
    await nextTurn();
    expect(seen).toEqual(['early']);
  });
});
