import { describe, expect, it } from 'vitest';

import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

/** A session with one call in flight to a server that gets a second for each sign of life. */
async function calling() {
  const { upstream, server } = runningServer('slow', ['work'], {}, { command: 'x', callTimeoutMs: 1000 });
  const rig = new SessionRig([upstream]);
  rig.call('1', 'slow__work', '"_meta":{"progressToken":"t"}');
  await rig.exchange();
  return { rig, server };
}

const PROGRESS =
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}';

describe('a call with a time limit', () => {
  it('D2: is given up when its server gives no sign of life: the client is told, the server too', async () => {
    const { rig, server } = await calling();
    rig.clock.advance(1000);
    const [answer] = await rig.exchange();
    expect(JSON.parse(answer ?? '')).toMatchObject({
      id: 1,
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('sent no response and no progress for 1 s') as string }],
      },
    });
    expect(JSON.parse(server.received.at(-1) ?? '')).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: 1 },
    });
    server.answer(1, '"late"');
    await expect(rig.exchange()).resolves.toEqual([]);
  });

  it('D2: begins anew with each progress, and ends with the answer', async () => {
    const { rig, server } = await calling();
    rig.clock.advance(900);
    server.send(PROGRESS);
    await rig.exchange();
    rig.clock.advance(900);
    server.answer(1, '"in time"');
    await expect(rig.exchange()).resolves.toEqual(['{"jsonrpc":"2.0","id":1,"result":"in time"}']);
    expect(rig.clock.timerCount).toBe(0);
  });
});
