import { describe, expect, it } from 'vitest';

import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';
import { RESERVED_OWN_TOOL_CALLS } from './exchanges.js';

const LIMITS = { limits: { maxPendingPerClient: 3 }, ownTools: ['own_tool', 'call_tool'] };

function toolCall(id: number | string, name: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
}

/** A session that has as many calls in flight to two servers as it may. */
async function fullSession() {
  const servers = ['gh', 'db'].map((name) => runningServer(name, ['get']));
  const rig = new SessionRig(
    servers.map(({ upstream }) => upstream),
    LIMITS,
  );
  await rig.exchange(toolCall(1, 'gh__get'), toolCall(2, 'db__get'), toolCall(3, 'gh__get'));
  return { rig, servers };
}

describe('a client with too many requests in flight', () => {
  it.each([
    ['a call', toolCall(9, 'db__get')],
    [
      'a call by call_tool',
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"db__get"}}}',
    ],
    ['a request of an unknown method', '{"jsonrpc":"2.0","id":9,"method":"x/y"}'],
  ])('D25: is refused %s more as busy, whatever server it is for', async (_, line) => {
    const { rig, servers } = await fullSession();
    await expect(rig.answerTo(line)).resolves.toEqual({
      jsonrpc: '2.0',
      id: 9,
      error: {
        code: -32603,
        message: 'mcpmux is busy: 3 requests of this client are in flight. Try again when some are answered.',
        data: { reason: 'busy' },
      },
    });
    expect(servers.map(({ server }) => server.received.length)).toEqual([2, 1]);
  });

  it('D25: goes on when one is answered or cancelled', async () => {
    const { rig, servers } = await fullSession();
    servers[0]?.server.answer(1, '{}');
    rig.cancel('2');
    await rig.exchange();
    await rig.exchange(toolCall(4, 'db__get'), toolCall(5, 'db__get'));
    expect(servers[1]?.server.received.filter((line) => line.includes('tools/call'))).toHaveLength(3);
    await expect(rig.answerTo(toolCall(6, 'db__get'))).resolves.toMatchObject({
      error: { data: { reason: 'busy' } },
    });
  });

  it('D25: is still answered what mcpmux answers at once', async () => {
    const { rig } = await fullSession();
    for (const method of ['ping', 'tools/list', 'resources/list']) {
      const line = `{"jsonrpc":"2.0","id":9,"method":"${method}"}`;
      await expect(rig.answerTo(line)).resolves.toHaveProperty('result');
    }
  });

  it('D25: can still manage its servers, within bounds', async () => {
    const { rig } = await fullSession();
    const calls = Array.from({ length: RESERVED_OWN_TOOL_CALLS }, (_, index) =>
      toolCall(`m${index}`, 'own_tool'),
    );
    const answers = await rig.exchange(...calls, toolCall('last', 'own_tool'));
    expect(answers).toHaveLength(1);
    expect(answers[0]).toContain('"id":"last","error"');
    expect(answers[0]).toContain('"reason":"busy"');
  });

  it('D25: does not concern another client', async () => {
    const server = runningServer('gh', ['get']);
    const [one, other] = [
      new SessionRig([server.upstream], LIMITS),
      new SessionRig([server.upstream], LIMITS),
    ];
    await one.exchange(...[1, 2, 3].map((id) => toolCall(id, 'gh__get')));
    await expect(other.exchange(toolCall(1, 'gh__get'))).resolves.toEqual([]);
    expect(server.server.received).toHaveLength(4);
  });
});
