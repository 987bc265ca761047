import { describe, expect, it } from 'vitest';

import { connected, outgoingCall, type Connected } from '../../testing/connected.js';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RecordingSink } from '../../testing/recording-sink.js';

const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}';
const LOG = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';

function times(count: number, line: string): readonly string[] {
  return Array.from({ length: count }, () => line);
}

function warnings({ logger }: Connected): number {
  return logger.messages('warn').filter((message) => message.includes('floods')).length;
}

describe('a flood of notifications', () => {
  it('C8: passes the rate on; the rest is dropped and counted', async () => {
    const rig = connected({ maxNotificationsPerSecond: 100 });
    rig.server.send(...times(250, LOG));
    await nextTurn();
    expect(rig.notifications).toHaveLength(100);
    expect(rig.connection.droppedNotificationCount).toBe(150);
    expect(rig.connection.droppedLineCount).toBe(0);
    rig.clock.advance(500);
    rig.server.send(...times(80, LOG));
    await nextTurn();
    expect(rig.notifications).toHaveLength(150);
  });

  it('C8: is warned of once until it has paused', async () => {
    const rig = connected({ maxNotificationsPerSecond: 10 });
    for (let turn = 0; turn < 5; turn += 1) {
      rig.server.send(...times(20, LOG));
      await nextTurn();
      rig.clock.advance(500);
    }
    expect(warnings(rig)).toBe(1);
    rig.clock.advance(1000);
    rig.server.send(...times(20, LOG));
    await nextTurn();
    expect(warnings(rig)).toBe(2);
  });

  it('C8: costs no response, no request and no notification of another kind', async () => {
    const rig = connected({ maxNotificationsPerSecond: 1 });
    const sink = new RecordingSink();
    rig.connection.calls.sendCall(outgoingCall(CALL), sink);
    rig.server.send(
      ...times(10, LOG),
      ...times(10, PROGRESS),
      ...times(3, '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'),
      ...times(3, '{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}'),
      '{"jsonrpc":"2.0","id":"q","method":"ping"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    );
    await nextTurn();
    expect(rig.notifications).toHaveLength(1 + 3 + 3);
    expect(rig.server.received).toContain('{"jsonrpc":"2.0","id":"q","result":{}}');
    expect(sink.events.at(-1)).toHaveProperty('response');
  });

  it('C8: of logs leaves the progress of calls alone', async () => {
    const rig = connected({ maxNotificationsPerSecond: 10 });
    const sink = new RecordingSink();
    rig.connection.calls.sendCall(outgoingCall(CALL), sink);
    rig.server.send(...times(50, LOG), ...times(10, PROGRESS));
    await nextTurn();
    expect(sink.events).toHaveLength(10);
    rig.server.send(...times(5, PROGRESS));
    await nextTurn();
    expect(sink.events).toHaveLength(10);
    expect(rig.connection.droppedNotificationCount).toBe(45);
  });
});
