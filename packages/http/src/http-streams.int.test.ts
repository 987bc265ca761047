import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { answersIn, eventIds, FrontRig, messagesIn } from './testing/front-rig.js';

function call(id: number, name: string, args: object, token?: number): object {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...meta } };
}

const PING = { jsonrpc: '2.0', id: 5, method: 'ping' };

describe('which connection a message leaves on', () => {
  it('progress and the answer of a call come on the connection of that call', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('p', fixtureCommand('progress'));
    const session = await rig.session();
    const stream = await rig.send('GET', session);
    const answers = await Promise.all(
      [3, 5].map((n) => rig.send('POST', session, call(n, 'p__count', { n }, n))),
    );
    for (const [index, n] of [3, 5].entries()) {
      await answers[index]?.ended;
      const messages = messagesIn(answers[index]?.text ?? '');
      expect(messages).toHaveLength(n + 1);
      expect(messages.slice(0, n)).toEqual(
        Array.from({ length: n }, (_, step) => ({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: n, progress: step + 1, total: n },
        })),
      );
      expect(messages[n]).toMatchObject({ id: n, result: {} });
    }
    expect(messagesIn(stream.text)).toEqual([]);
    stream.destroy();
  });

  it('what belongs to no call waits for the stream of its own, and list_changed is said once', async () => {
    await using rig = await FrontRig.open();
    const session = await rig.session();
    await rig.mux.addServer('e', fixtureCommand('echo'));
    await rig.mux.addServer('f', fixtureCommand('echo'));
    // Told of both: a change that is still to come is another one.
    await new Promise((resolve) => rig.mux.on('catalog:changed', resolve));
    const stream = await rig.send('GET', session);
    await stream.until('list_changed');
    await (
      await rig.send('POST', session, PING)
    ).ended;
    expect(
      messagesIn(stream.text).filter(({ method }) => method === 'notifications/tools/list_changed'),
    ).toHaveLength(1);
    stream.destroy();
  });

  it('a cancelled call ends its connection, and leaves nothing behind', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('h', fixtureCommand('hold-calls'));
    const session = await rig.session();
    const held = await rig.send('POST', session, call(7, 'h__hold', { key: 'k' }));
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } };
    expect(await rig.send('POST', session, cancel)).toMatchObject({ status: 202 });
    await held.ended;
    expect(answersIn(held.text)).toEqual([]);
    expect(rig.front.sessions.openSessions.map(({ requests }) => requests.size)).toEqual([0]);
  });

  it('a second request with an id in flight is refused, and the first is answered', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('h', fixtureCommand('hold-calls'));
    const session = await rig.session();
    const held = await rig.send('POST', session, call(7, 'h__hold', { key: 'k' }));
    expect(await rig.send('POST', session, call(7, 'h__hold', { key: 'k' }))).toMatchObject({ status: 400 });
    await (
      await rig.send('POST', session, call(8, 'h__release', { key: 'k' }))
    ).ended;
    await held.ended;
    expect(answersIn(held.text)).toMatchObject([{ id: 7, result: {} }]);
  });
});

describe('clients that come back', () => {
  it('I9: a stream that was dropped gets what it has missed, once', async () => {
    await using rig = await FrontRig.open();
    const session = await rig.session();
    const first = await rig.send('GET', session);
    await rig.mux.addServer('e', fixtureCommand('echo'));
    await first.until('tools/list_changed');
    const [last = ''] = eventIds(first.text).slice(-1);
    first.destroy();
    await first.ended;
    await rig.mux.removeServer('e');
    const second = await rig.send('GET', { ...session, 'last-event-id': last });
    await second.until('tools/list_changed');
    const third = await rig.send('GET', { ...session, 'last-event-id': eventIds(second.text).at(-1) ?? '' });
    await second.ended;
    await rig.mux.addServer('f', fixtureCommand('echo'));
    await third.until('tools/list_changed');
    expect(
      messagesIn(second.text).filter(({ method }) => method === 'notifications/tools/list_changed'),
    ).toHaveLength(1);
    third.destroy();
  });

  it('I9: the answer of a call whose connection broke is there when the client comes back', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('h', fixtureCommand('hold-calls'));
    const session = { ...(await rig.session()), 'mcp-protocol-version': '2025-11-25' };
    const held = await rig.send('POST', session, call(7, 'h__hold', { key: 'k' }));
    await held.until('id: ');
    const [priming = ''] = eventIds(held.text);
    held.destroy();
    await (
      await rig.send('POST', session, call(8, 'h__release', { key: 'k' }))
    ).ended;
    const resumed = await rig.send('GET', { ...session, 'last-event-id': priming });
    await resumed.until('"id":7');
    expect(answersIn(resumed.text)).toMatchObject([{ id: 7, result: {} }]);
    resumed.destroy();
  });

  it('I9: an event of another session is answered with 400', async () => {
    await using rig = await FrontRig.open();
    const [one, two] = [await rig.session(), await rig.session()];
    const stream = await rig.send('GET', one);
    await rig.mux.addServer('e', fixtureCommand('echo'));
    await stream.until('list_changed');
    const [id = ''] = eventIds(stream.text);
    expect(await rig.send('GET', { ...two, 'last-event-id': id })).toMatchObject({ status: 400 });
    expect(await rig.send('GET', { ...one, 'last-event-id': 'x' })).toMatchObject({ status: 400 });
    stream.destroy();
  });

  it('a connection that breaks does not end the session, whatever the revision', async () => {
    await using rig = await FrontRig.open();
    await rig.mux.addServer('h', fixtureCommand('hold-calls'));
    const session = await rig.session('2025-03-26');
    const held = await rig.send('POST', session, call(7, 'h__hold', { key: 'k' }));
    held.destroy();
    await held.ended;
    await (
      await rig.send('POST', session, call(8, 'h__release', { key: 'k' }))
    ).ended;
    const ping = await rig.send('POST', session, PING);
    await ping.ended;
    expect(messagesIn(ping.text)).toMatchObject([{ id: 5, result: {} }]);
  });
});
