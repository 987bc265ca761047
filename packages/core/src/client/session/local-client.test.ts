import { getEventListeners } from 'node:events';

import { describe, expect, it } from 'vitest';

import { isSettled } from '@mcpmux/testing/is-settled';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { memoryChannels } from '@mcpmux/wire';
import { ServerPeer } from '../../testing/server-peer.js';
import { LocalClient, type Progress } from './local-client.js';

interface Rig {
  readonly client: LocalClient;
  /** The session's end, played by the test. */
  readonly session: ServerPeer;
}

function localClient(): Rig {
  const [near, far] = memoryChannels();
  return { session: new ServerPeer(far), client: new LocalClient(near) };
}

const progressLine = (token: number, progress: number): string =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":${progress},"total":9,"message":"m"}}`;

describe('a call from within the process', () => {
  it('is a tools/call like any other, and resolves to the whole result', async () => {
    const { client, session } = localClient();
    const called = client.callTool('a__get', { n: 1 }, {});
    await nextTurn();
    expect(session.received).toEqual([
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a__get","arguments":{"n":1}}}',
    ]);
    session.answer(
      1,
      '{"content":[{"type":"text","text":"x"}],"isError":true,"_meta":{"k":1},"x-vendor":[]}',
    );
    await expect(called).resolves.toEqual({
      content: [{ type: 'text', text: 'x' }],
      isError: true,
      _meta: { k: 1 },
      'x-vendor': [],
    });
  });

  it('gets its own answer, in whatever order answers come', async () => {
    const { client, session } = localClient();
    const calls = [1, 2, 3].map((n) => client.callTool('a__get', { n }, {}));
    for (const id of [2, 3, 1]) session.answer(id, `{"content":[],"n":${id}}`);
    await expect(Promise.all(calls)).resolves.toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('rejects with CALL_FAILED and the message of a protocol error', async () => {
    const { client, session } = localClient();
    const called = client.callTool('a__get', {}, {});
    session.send('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool \\"a__get\\"."}}');
    await expect(called).rejects.toMatchObject({ code: 'CALL_FAILED', message: 'Unknown tool "a__get".' });
  });

  it('rejects with CLOSED when the mux is closed before the answer', async () => {
    const { client, session } = localClient();
    const calls = [client.callTool('a', {}, {}), client.callTool('b', {}, {})];
    session.close();
    for (const called of calls) await expect(called).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('the progress of a call from within the process', () => {
  it('is told to its own listener, until the answer', async () => {
    const { client, session } = localClient();
    const heard: [string, Progress][] = [];
    const one = client.callTool('a', {}, { onProgress: (progress) => heard.push(['one', progress]) });
    const two = client.callTool('b', {}, { onProgress: (progress) => heard.push(['two', progress]) });
    await nextTurn();
    expect(session.received[1]).toContain('"_meta":{"progressToken":2}');
    session.send(progressLine(2, 1), progressLine(1, 1), progressLine(1, 2));
    session.answer(1, '{"content":[]}');
    session.send(progressLine(1, 3), progressLine(7, 1));
    session.answer(2, '{"content":[]}');
    await Promise.all([one, two]);
    expect(heard.map(([who, { progress }]) => [who, progress])).toEqual([
      ['two', 1],
      ['one', 1],
      ['one', 2],
    ]);
    expect(heard[0]?.[1]).toMatchObject({ progress: 1, total: 9, message: 'm' });
  });

  it('is not asked for when nobody listens', async () => {
    const { client, session } = localClient();
    const called = client.callTool('a', {}, {});
    await nextTurn();
    expect(session.received[0]).not.toContain('progressToken');
    session.answer(1, '{"content":[]}');
    await called;
  });
});

describe('a call from within the process that is cancelled', () => {
  it('rejects at once, tells the session, and ignores a late answer', async () => {
    const { client, session } = localClient();
    const abort = new AbortController();
    const called = client.callTool('a', {}, { signal: abort.signal });
    abort.abort();
    await expect(called).rejects.toMatchObject({
      code: 'CANCELLED',
      message: 'The call of a was cancelled.',
    });
    await nextTurn();
    expect(session.received[1]).toBe(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}',
    );
    session.answer(1, '{"content":[]}');
    await nextTurn();
    expect(session.received.length).toBe(2);
  });

  it('before it is made is not made', async () => {
    const { client, session } = localClient();
    const called = client.callTool('a', {}, { signal: AbortSignal.abort() });
    await expect(called).rejects.toMatchObject({ code: 'CANCELLED' });
    await nextTurn();
    expect(session.received).toEqual([]);
  });

  it('after its answer changes nothing', async () => {
    const { client, session } = localClient();
    const abort = new AbortController();
    const called = client.callTool('a', {}, { signal: abort.signal });
    session.answer(1, '{"content":[]}');
    await called;
    abort.abort();
    await nextTurn();
    expect(session.received.length).toBe(1);
  });

  it('leaves the other calls alone', async () => {
    const { client, session } = localClient();
    const abort = new AbortController();
    const cancelled = client.callTool('a', {}, { signal: abort.signal });
    const other = client.callTool('b', {}, {});
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await isSettled(other)).toBe(false);
    session.answer(2, '{"content":[]}');
    await expect(other).resolves.toEqual({ content: [] });
  });

  it.each(['answered', 'failed', 'cancelled', 'closed'])(
    'leaves no listener at its signal, however it ends: %s',
    async (how) => {
      const { client, session } = localClient();
      const abort = new AbortController();
      const called = client.callTool('a', {}, { signal: abort.signal });
      if (how === 'answered') session.answer(1, '{"content":[]}');
      if (how === 'failed') session.send('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}');
      if (how === 'cancelled') abort.abort();
      if (how === 'closed') session.close();
      await called.catch(() => undefined);
      expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
    },
  );
});
