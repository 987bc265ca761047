import { describe, expect, it } from 'vitest';

import { nextTurn } from '@mcpmux/testing/next-turn';
import type { GuardChange, GuardHandler } from '../../guards/guard.js';
import { runningServer } from '../../testing/running-server.js';
import { SessionRig } from '../../testing/session-rig.js';

function rigWith(...guards: readonly GuardHandler[]) {
  const server = runningServer('a', ['get']);
  const rig = new SessionRig([server.upstream], { ownTools: ['own_tool', 'call_tool'] });
  for (const handle of guards) rig.guards.use({ handle, methods: ['tools/call', 'x/y'] });
  return { ...server, rig };
}

const changing =
  (params: GuardChange['params']): GuardHandler =>
  (_, next) =>
    next({ params });

describe('a guard that changes params', () => {
  it('A6: replaces the bytes of that member and no others', async () => {
    const { rig, server } = rigWith(changing({ arguments: { n: 2 } }));
    rig.call('"x"', 'a__get', '"big" : 12345678901234567890,"arguments":{"n":1.0}, "z":1.0');
    await nextTurn();
    expect(server.received.at(-1)).toContain(
      '"params":{"name":"get","big" : 12345678901234567890,"arguments":{"n":2}, "z":1.0}',
    );
    server.answer(1, '{"x":1.0}');
    await nextTurn();
    expect(rig.client.lines).toEqual(['{"jsonrpc":"2.0","id":"x","result":{"x":1.0}}']);
  });

  it('A6: gives bytes as they are to be sent', async () => {
    const { rig, server } = rigWith(changing({ arguments: Buffer.from('{"n": 1.00}') }));
    rig.call('1', 'a__get', '"arguments":{}');
    await nextTurn();
    expect(server.received.at(-1)).toContain('"arguments":{"n": 1.00}');
  });

  it.each([
    ['a call without arguments', '"method":"tools/call","params":{"name":"a__get"}', '"arguments":{"n":2}'],
    ['a request without params', '"method":"x/y"', '"params":{"arguments":{"n":2}}'],
    ['a request with empty params', '"method":"x/y","params":{ }', '"params":{"arguments":{"n":2} }'],
    [
      'a call of call_tool',
      '"method":"tools/call","params":{"name":"call_tool","arguments":{"name":"a__get","arguments":{"n":1.0}}}',
      '"params":{"name":"get","arguments":{"n":2}}',
    ],
  ])('A6: adds the member to %s', async (_, request, sent) => {
    const { rig, server } = rigWith(changing({ arguments: { n: 2 } }));
    rig.send(`{"jsonrpc":"2.0","id":1,${request}}`);
    await nextTurn();
    expect(server.received.at(-1)).toContain(sent);
  });

  it('A6: changes what the guards inside of it see, and nothing for those outside', async () => {
    const seen: unknown[] = [];
    const look: GuardHandler = (context, next) => {
      seen.push(context.params['arguments'], context.readRaw('arguments')?.toString(), context.tool);
      return next();
    };
    const { rig, server } = rigWith(look, changing({ arguments: { n: 2 } }), look);
    rig.call('1', 'a__get', '"arguments":{"n":1.0}');
    await nextTurn();
    expect(seen).toEqual([{ n: 1 }, '{"n":1.0}', 'get', { n: 2 }, '{"n":2}', 'get']);
    expect(server.received).toHaveLength(1);
  });

  it.each(['name', 'uri', 'ref', '_meta', 'task', 'taskId', 'cursor', 'requestState'])(
    'A6: cannot change %s: the call fails and nothing is sent',
    async (member) => {
      const { rig, server } = rigWith(changing({ [member]: 'b__get' }));
      rig.call('1', 'a__get');
      await nextTurn();
      expect(rig.client.lines[0]).toContain(`a guard cannot change \\"${member}\\"`);
      expect(server.received).toEqual([]);
    },
  );
});
