import { describe, expect, it } from 'vitest';

import { ManualChannel } from '../../testing/manual-channel.js';
import { SessionRig } from '../../testing/session-rig.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';

const LIST_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const TOOLS = new Set(['notifications/tools/list_changed']);
const INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';

/** What a client is sent when the tools change after it has sent these lines. */
async function reportedAfter(...lines: readonly string[]): Promise<readonly string[]> {
  const server = new StandInUpstream('s');
  const rig = new SessionRig([server]);
  await rig.exchange(...lines);
  const before = rig.client.lines.length;
  rig.nowHas(server, 'find');
  rig.session.notifyListChanges(TOOLS);
  await rig.exchange();
  return rig.client.lines.slice(before);
}

describe('a change to the tools', () => {
  it.each([
    ['is initialized', [INITIALIZE, '{"jsonrpc":"2.0","method":"notifications/initialized"}']],
    [
      'goes on without notifications/initialized',
      [INITIALIZE, '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'],
    ],
    ['begins without initialize', ['{"jsonrpc":"2.0","id":2,"method":"ping"}']],
  ])('is told to a client that %s', async (_, lines) => {
    await expect(reportedAfter(...lines)).resolves.toEqual([LIST_CHANGED]);
  });

  it.each([
    ['has said nothing', []],
    ['has only sent initialize', [INITIALIZE]],
    ['has sent nothing that can be read', ['garbage']],
  ])('is not told to a client that %s', async (_, lines) => {
    await expect(reportedAfter(...lines)).resolves.toEqual([]);
  });

  it.each(['ended', 'closed', 'failed'] as const)('is not told to a client that has gone: %s', (reason) => {
    const channel = new ManualChannel();
    const server = new StandInUpstream('s');
    const rig = new SessionRig([server], { channel });
    channel.receive('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    channel.endBy(reason);
    rig.nowHas(server, 'find');
    rig.session.notifyListChanges(TOOLS);
    expect(channel.sent).toEqual([]);
  });
});
