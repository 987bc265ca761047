import { describe, expect, it } from 'vitest';

import { cancellation, connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL = '{"jsonrpc":"2.0","id":"client id","method":"tools/call","params":{"name":"wait"}}';
const CANCELLED =
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"client id", "reason":"changed my mind"}}';

/** Two calls, of which the first has id 1; what the server has received of them is forgotten. */
async function twoCalls({ connection, server }: Connected): Promise<RecordingSink[]> {
  const sinks = [new RecordingSink(), new RecordingSink()];
  for (const sink of sinks) connection.calls.sendCall(outgoingCall(CALL), sink);
  await nextTurn();
  server.received.length = 0;
  return sinks;
}

describe('a cancelled call', () => {
  it("M10: client cancellation reaches the server, under the server's own request id", async () => {
    const rig = connected();
    await twoCalls(rig);
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    await nextTurn();
    expect(rig.server.received).toEqual([CANCELLED.replace('"client id"', '1')]);
  });

  it('is forgotten: its late response and progress are dropped', async () => {
    const rig = connected();
    const [sink, other] = await twoCalls(rig);
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    rig.server.send(
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
    );
    rig.server.answer(1, '{}');
    rig.server.answer(2, '{}');
    await nextTurn();
    expect(sink?.events).toEqual([]);
    expect(other?.events).toHaveLength(1);
    expect(rig.connection.droppedLineCount).toBe(2);
  });

  it('is not failed when the run ends', async () => {
    const rig = connected();
    const [sink, other] = await twoCalls(rig);
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    rig.connection.failAll({ kind: 'removed' });
    expect(sink?.events).toEqual([]);
    expect(other?.events).toEqual([{ failure: { kind: 'removed' } }]);
  });

  it('is cancelled once; nothing is sent for one that is answered, or was never made', async () => {
    const rig = connected();
    await twoCalls(rig);
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    rig.server.answer(2, '{}');
    await nextTurn();
    rig.connection.calls.cancel(2, ...cancellation(CANCELLED));
    rig.connection.calls.cancel(3, ...cancellation(CANCELLED));
    rig.connection.calls.cancel(0, ...cancellation(CANCELLED));
    await nextTurn();
    expect(rig.server.received).toHaveLength(1);
  });

  it('leaves the server to others: it is idle when only cancelled calls are left', async () => {
    const rig = connected();
    await twoCalls(rig);
    const idle = rig.connection.calls.whenIdle();
    rig.connection.calls.cancel(1, ...cancellation(CANCELLED));
    rig.connection.calls.abandon(2);
    await expect(idle).resolves.toBeUndefined();
  });
});

describe('an abandoned call', () => {
  it('is cancelled at the server in the name of mcpmux', async () => {
    const rig = connected();
    const [sink] = await twoCalls(rig);
    rig.connection.calls.abandon(1);
    rig.connection.calls.abandon(1);
    rig.server.answer(1, '{}');
    await nextTurn();
    expect(rig.server.received.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: 1, reason: 'the client has gone' },
      },
    ]);
    expect(sink?.events).toEqual([]);
  });
});
