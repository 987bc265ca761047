import { once } from 'node:events';

import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it, vi } from 'vitest';

import { FrontRig } from './testing/front-rig.js';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

async function textOf(socket: ReturnType<FrontRig['socket']>): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

describe('sessions', () => {
  it('I8: when all places are taken one more is refused, until a session has been idle for long enough', async () => {
    await using rig = await FrontRig.open({ maxSessions: 2, evictableAfterMs: 1000 });
    const [first] = [await rig.session(), await rig.session()];
    const refused = await rig.send('POST', {}, INITIALIZE);
    await refused.ended;
    expect(refused).toMatchObject({ status: 503 });
    rig.clock.now += 1000;
    const stream = await rig.send('GET', first);
    const third = await rig.session();
    expect(third['mcp-session-id']).toMatch(/^[0-9a-f]{32}$/);
    expect(rig.front.sessions.openSessions.map(({ id }) => id)).toEqual([
      first['mcp-session-id'],
      third['mcp-session-id'],
    ]);
    stream.destroy();
  });

  it('I8: one principal takes no more places than its own, whoever else is there', async () => {
    const credentials = {
      principalOf: (header?: string) =>
        header === undefined ? undefined : { id: header, roles: [], rights: [] },
    };
    await using rig = await FrontRig.guarded({
      limits: { maxSessionsPerPrincipal: 2, evictableAfterMs: 1000 },
      entrance: { credentials, metadata: undefined },
    });
    const initialize = async (authorization: string): Promise<number> => {
      const answer = await rig.send('POST', { authorization }, INITIALIZE);
      await answer.ended;
      return answer.status;
    };
    const greedy = [await initialize('eve'), await initialize('eve'), await initialize('eve')];
    expect(greedy).toEqual([200, 200, 503]);
    expect(await initialize('ann')).toBe(200);
    rig.clock.now += 1000;
    expect(await initialize('eve')).toBe(200);
    expect(rig.front.sessions.size).toBe(3);
  });

  it('I8: one that is asked nothing for the idle time is ended, and one that reads a stream is not', async () => {
    await using rig = await FrontRig.open({ sessionIdleMs: 1000 });
    const [left, used] = [await rig.session(), await rig.session()];
    const stream = await rig.send('GET', used);
    rig.clock.now += 1000;
    rig.front.sessions.endIdleSessions();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect(await rig.send('POST', left, ping)).toMatchObject({ status: 404 });
    expect(await rig.send('POST', used, ping)).toMatchObject({ status: 200 });
    stream.destroy();
  });

  it.each([
    ['1001 levels', 999, 400, 'nested deeper than 1000 levels'],
    ['a thousand', 998, 200, 'nesting deeper than 256'],
  ])(
    'a request with %s in it is answered, and leaves nothing in flight',
    async (_, levels, status, words) => {
      await using rig = await FrontRig.open();
      const session = await rig.session();
      let nested: unknown = 1;
      for (let level = 0; level < levels; level += 1) nested = [nested];
      const ping = { jsonrpc: '2.0', id: 3, method: 'ping' };
      const answer = await rig.send('POST', session, { ...ping, params: { nested } });
      await answer.ended;
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)]);
      const again = await rig.send('POST', session, ping);
      await again.ended;
      expect(again.status).toBe(200);
      expect(rig.front.sessions.openSessions.map(({ requests }) => requests.size)).toEqual([0]);
    },
  );

  it('a batch in which an id stands twice is refused, and leaves nothing in flight', async () => {
    await using rig = await FrontRig.open();
    const session = await rig.session();
    const ping = { jsonrpc: '2.0', id: 3, method: 'ping' };
    const answer = await rig.send('POST', session, [ping, ping]);
    await answer.ended;
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('twice in this batch')]);
    expect(rig.front.sessions.openSessions.map(({ requests }) => requests.size)).toEqual([0]);
  });

  it('an initialize that is none opens no session', async () => {
    await using rig = await FrontRig.open();
    const answer = await rig.send('POST', {}, { jsonrpc: '2.0', id: 1, method: 'initialize' });
    expect(answer.status).toBe(400);
    expect(rig.front.sessions.size).toBe(0);
  });
});

describe('connections', () => {
  it('I10: a client that does not read is disconnected at the bound, and its session goes on', async () => {
    await using rig = await FrontRig.open({ maxUnreadBytes: 64 * 1024 });
    await rig.mux.addServer('e', fixtureCommand('echo'));
    const session = await rig.session();
    const [link] = rig.links;
    const stream = await rig.send('GET', session);
    stream.response.pause();
    const params = { data: 'x'.repeat(100_000) };
    const closed = once(stream.response.socket, 'close');
    const message = { jsonrpc: '2.0', method: 'notifications/message', params };
    for (let sent = 0; sent < 200; sent += 1) await link?.send(message);
    stream.response.resume();
    await closed;
    expect(rig.front.sessions.openSessions.map(({ unreadBytes }) => unreadBytes)).toEqual([0]);
    const again = await rig.send('GET', session);
    expect(again.status).toBe(200);
    again.destroy();
  });

  it('I10: a client that takes nothing for long enough is disconnected, and one that reads is not', async () => {
    await using rig = await FrontRig.open({ stallMs: 2000, keepAliveMs: 20, maxUnreadBytes: 2 ** 30 });
    const [slow, quick] = [
      await rig.send('GET', await rig.session()),
      await rig.send('GET', await rig.session()),
    ];
    slow.response.pause();
    const params = { data: 'x'.repeat(1_000_000) };
    const message = { jsonrpc: '2.0', method: 'notifications/message', params };
    for (let sent = 0; sent < 30; sent += 1) await rig.links[0]?.send(message);
    expect(rig.front.sessions.openSessions.some(({ unreadBytes }) => unreadBytes > 0)).toBe(true);
    // A paused stream tells no end: the other side does, by the bytes that wait for it no more.
    await rig.until(() => rig.front.sessions.openSessions.every(({ unreadBytes }) => unreadBytes === 0));
    expect(quick.response.destroyed).toBe(false);
    slow.destroy();
    quick.destroy();
  });

  it('I11: headers that do not come are answered with 408, and the connection is closed', async () => {
    await using rig = await FrontRig.open({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
    const socket = rig.socket();
    socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\n');
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 408/);
  });

  it('I11: a body that does not come is answered with 408, and the connection is closed', async () => {
    await using rig = await FrontRig.open({ headersTimeoutMs: 50, requestTimeoutMs: 100 });
    const socket = rig.socket();
    const head = `POST /mcp HTTP/1.1\r\nHost: ${rig.url.host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    socket.write(head);
    expect(await textOf(socket)).toMatch(/^(?:HTTP\/1.1 408|$)/);
  });

  it.each([
    ['its length', (bytes: number) => `Content-Length: ${bytes}\r\n\r\n`],
    ['its chunks', (bytes: number) => `Transfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n`],
  ])('I12: a client that sends a body above the limit by %s gets 413 before the end', async (_, begin) => {
    await using rig = await FrontRig.open({ maxBodyBytes: 1000 });
    const bytes = 8 * 1024 * 1024;
    const socket = rig.socket();
    const broken = vi.fn<(error: Error) => void>();
    socket.on('error', broken);
    socket.write(`POST /mcp HTTP/1.1\r\nHost: ${rig.url.host}\r\nContent-Type: application/json\r\n`);
    socket.write(`Accept: application/json, text/event-stream\r\n${begin(bytes)}`);
    socket.write('x'.repeat(bytes));
    socket.write('\r\n0\r\n\r\n');
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 413.*above the limit of 1000 bytes/s);
    expect(broken).not.toHaveBeenCalled();
  });

  it('I11: connections above the bound are not accepted', async () => {
    await using rig = await FrontRig.open({ maxConnections: 2 });
    const held = [rig.socket(), rig.socket()];
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    const third = rig.socket();
    expect(await textOf(third)).toBe('');
    for (const socket of held) socket.destroy();
  });

  it.each([
    ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'],
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 3\r\n', '{}'],
    ['a length that is none', 'Content-Length: 0x2\r\n', '{}'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 2\r\n', '{}'],
    ['another coding of the transfer', 'Transfer-Encoding: identity, chunked, x\r\n', '0\r\n\r\n'],
    ['a bare newline in a header', 'X-A: b\nContent-Length: 2\r\n', '{}'],
  ])(
    'I13: a request with %s is answered with 400, and the connection is closed',
    async (_, headers, body) => {
      await using rig = await FrontRig.open();
      const socket = rig.socket();
      socket.write(
        `POST /mcp HTTP/1.1\r\nHost: ${rig.url.host}\r\n${headers}\r\n${body}GET /smuggled HTTP/1.1\r\n\r\n`,
      );
      const text = await textOf(socket);
      expect(text).toMatch(/^HTTP\/1.1 400/);
      expect(text.match(/HTTP\/1.1/g)).toHaveLength(1);
    },
  );
});
