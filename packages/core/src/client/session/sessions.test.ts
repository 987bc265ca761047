import { describe, expect, it } from 'vitest';

import { SessionsRig, type RigServer } from '../../testing/sessions-rig.js';
import { SHARED } from '../../testing/stand-in-registry.js';

/** The levels that a server was told, in order. */
function levelsAt({ received }: RigServer): readonly unknown[] {
  return received
    .filter((line) => line.includes('logging/setLevel'))
    .map((line) => (JSON.parse(line) as { readonly params: { readonly level: string } }).params.level);
}

describe('what a server that starts is told of the client', () => {
  it('is what the client said that introduced itself last', async () => {
    const rig = new SessionsRig();
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({});
    const first = await rig.client({ sampling: {} });
    rig.stranger();
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({ sampling: {} });
    const second = await rig.client({ roots: {} });
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({ roots: {} });
    await second.leave();
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({ sampling: {} });
    await first.leave();
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({});
  });

  it('is what the client said that used a tool of mcpmux last', async () => {
    const rig = new SessionsRig();
    const manager = await rig.client({ sampling: {} });
    const other = await rig.client({ roots: {} });
    await manager.request('1', 'tools/call', '{"name":"own_tool"}');
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({ sampling: {} });
    await other.leave();
    expect(rig.primaries.profileFor(SHARED).capabilities).toEqual({ sampling: {} });
  });
});

describe('changes to lists', () => {
  it('S11: are announced to every client that has introduced itself', async () => {
    const rig = new SessionsRig();
    const [a, stranger] = [await rig.client(), rig.stranger()];
    rig.server('s', { tools: ['find'], prompts: ['ask'] });
    const methods = ['notifications/tools/list_changed', 'notifications/prompts/list_changed'];
    rig.sessions.announceChanges(new Map([[SHARED, new Set(methods)]]));
    await a.exchange();
    expect([a.take(), stranger.take()]).toEqual([
      [
        '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
        '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}',
      ],
      [],
    ]);
  });
});

describe('the log level of a server', () => {
  const LOGGING = { capabilities: { logging: {} } };

  it('S4: is the lowest that a client has asked for, also in the next run', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', LOGGING);
    const [a, b] = [await rig.client(), await rig.client()];
    await a.request('1', 'logging/setLevel', '{"level":"error"}');
    await expect(b.request('1', 'logging/setLevel', '{"level":"alert"}')).resolves.toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]);
    expect(levelsAt(server).at(-1)).toBe('error');
    await server.reload();
    expect(levelsAt(server)).toEqual(['error']);
  });

  it('S4: stays low enough for a client that wants everything', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', LOGGING);
    const [a] = [await rig.client(), await rig.client()];
    await a.request('1', 'logging/setLevel', '{"level":"error"}');
    expect(levelsAt(server).at(-1)).toBe('debug');
  });

  it('S4: is told to a server again only when it is another one, whoever comes and goes', async () => {
    const rig = new SessionsRig();
    const server = rig.server('s', LOGGING);
    const a = await rig.client();
    await a.request('1', 'logging/setLevel', '{"level":"error"}');
    const [b, c] = [await rig.client(), await rig.client()];
    await c.leave();
    expect(levelsAt(server)).toEqual(['error', 'debug']);
    await b.leave();
    await a.request('2', 'logging/setLevel', '{"level":"error"}');
    expect(levelsAt(server)).toEqual(['error', 'debug', 'error']);
  });

  it('S4: is no matter of clients that do not see the server, also where it has refused one', async () => {
    const rig = new SessionsRig();
    const layer = SHARED.openWorkspace('workspace a');
    const server = rig.server('s', { ...LOGGING, layer });
    const inside = await rig.client({}, layer);
    await inside.request('1', 'logging/setLevel', '{"level":"error"}');
    const { id } = JSON.parse(server.received.at(-1) ?? '') as { readonly id: unknown };
    await server.exchange(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'no' } }));
    const outside = await rig.client();
    await outside.request('1', 'logging/setLevel', '{"level":"debug"}');
    await outside.leave();
    expect(levelsAt(server)).toEqual(['error']);
    await inside.request('2', 'logging/setLevel', '{"level":"error"}');
    expect(levelsAt(server)).toEqual(['error', 'error']);
  });

  it('S4: is left to the server while nobody has asked, and to one that has no logging', async () => {
    const rig = new SessionsRig();
    const [able, unable] = [rig.server('s', LOGGING), rig.server('t')];
    const client = await rig.client();
    expect(levelsAt(able)).toEqual([]);
    await client.request('1', 'logging/setLevel', '{"level":"error"}');
    expect([levelsAt(able).length, levelsAt(unable).length]).toEqual([1, 0]);
  });

  it.each(['{"level":"loud"}', '{"level":5}', '{}'])(
    'S4: is one of the specification: %s',
    async (params) => {
      const rig = new SessionsRig();
      const server = rig.server('s', LOGGING);
      const client = await rig.client();
      await expect(client.request('1', 'logging/setLevel', params)).resolves.toEqual([
        expect.stringContaining('"error":{"code":-32602'),
      ]);
      expect(levelsAt(server)).toEqual([]);
    },
  );
});
