import { describe, expect, it } from 'vitest';

import { ManualChannel } from '../../testing/manual-channel.js';
import { SessionRig } from '../../testing/session-rig.js';

const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';

/** What a client is sent when the tools change after it has sent these lines. */
async function toldAfter(...lines: readonly string[]): Promise<readonly string[]> {
  const rig = new SessionRig();
  await rig.exchange(...lines);
  const before = rig.client.lines.length;
  rig.session.listsChanged(['notifications/tools/list_changed']);
  await rig.exchange();
  return rig.client.lines.slice(before);
}

describe('a change of the tools', () => {
  it.each([
    ['is initialized', [INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}']],
    [
      'goes on without notifications/initialized',
      [INITIALIZE, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'],
    ],
    ['begins without initialize', ['{"jsonrpc":"2.0","id":2,"method":"ping"}']],
  ])('is told to a client that %s', async (_, lines) => {
    await expect(toldAfter(...lines)).resolves.toEqual([LIST_CHANGED]);
  });

  it.each([
    ['has said nothing', []],
    ['has only sent initialize', [INITIALIZE]],
    ['has sent nothing that can be read', ['garbage']],
  ])('is not told to a client that %s', async (_, lines) => {
    await expect(toldAfter(...lines)).resolves.toEqual([]);
  });

  it.each(['ended', 'closed', 'failed'] as const)('is not told to a client that has gone: %s', (reason) => {
    const channel = new ManualChannel();
    const rig = new SessionRig([], { channel });
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    channel.endBy(reason);
    rig.session.listsChanged(['notifications/tools/list_changed']);
    expect(channel.sent).toEqual([]);
  });
});
