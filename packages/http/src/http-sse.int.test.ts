import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { FrontRig, messagesIn, type FrontRigInit, type OpenAnswer } from './testing/front-rig.js';

const credentials = {
  principalOf: (header?: string) =>
    header === undefined ? undefined : { id: header, roles: [], rights: [] },
};
const PROGRESS = 'notifications/progress';
/** Letters of a large result: more than the buffers of a connection take unread, below the longest line. */
const BIG = 9_000_000;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

function big(id: number, name: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { bytes: BIG } } };
}

/** The client of the official SDK, at `/sse` of a front. */
async function sdkClient(rig: FrontRig): Promise<Client> {
  const client = new Client({ name: 'sse', version: '1' }, { capabilities: { elicitation: {} } });
  await client.connect(new SSEClientTransport(new URL('/sse', rig.url)));
  return client;
}

/** A front that serves `/sse`, and its requests to any path. */
class SseRig implements AsyncDisposable {
  private constructor(readonly rig: FrontRig) {}

  static async open(init: FrontRigInit = {}): Promise<SseRig> {
    return new SseRig(await FrontRig.guarded({ sse: true, ...init }));
  }

  send(method: string, path: string, headers = {}, body?: object): Promise<OpenAnswer> {
    this.rig.url = new URL(path, this.rig.url);
    return this.rig.send(method, headers, body);
  }

  async status(method: string, path: string, headers = {}, body?: object): Promise<number> {
    const answer = await this.send(method, path, headers, body);
    answer.destroy();
    return answer.status;
  }

  /** Opens a stream, and gives the URL for its messages. */
  async stream(path = '/sse', headers = {}): Promise<{ readonly answer: OpenAnswer; readonly to: string }> {
    const answer = await this.send('GET', path, headers);
    await answer.until('\n\n');
    return { answer, to: /^event: endpoint\ndata: (\S+)\n\n/.exec(answer.text)?.[1] ?? '' };
  }

  async initialized(): Promise<{ readonly answer: OpenAnswer; readonly to: string }> {
    const stream = await this.stream();
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    await this.status('POST', stream.to, {}, { jsonrpc: '2.0', id: 0, method: 'initialize', params });
    await stream.answer.until('"protocolVersion":"2024-11-05"');
    return stream;
  }

  /** Resolves when no session is open. */
  noSession(): Promise<void> {
    return this.rig.until(() => this.rig.front.sessions.size === 0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.rig[Symbol.asyncDispose]();
  }
}

describe('the transport of 2024-11-05', () => {
  it('a client of the SDK adds a server, is told, calls its tools and is asked', async () => {
    await using front = await SseRig.open();
    const client = await sdkClient(front.rig);
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { answer: 'this one' },
    }));
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    await client.callTool({ name: 'add_server', arguments: { name: 'p', ...fixtureCommand('progress') } });
    await changed;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('p__count');
    expect(JSON.stringify(await client.callTool({ name: 'p__count', arguments: { n: 3 } }))).toContain(
      'text',
    );
    await client.callTool({ name: 'add_server', arguments: { name: 'i', ...fixtureCommand('interactive') } });
    const params = { message: '?', requestedSchema: { type: 'object', properties: {} } };
    const ask = { name: 'i__ask', arguments: { method: 'elicitation/create', params } };
    expect(JSON.stringify(await client.callTool(ask))).toContain('this one');
    await client.close();
    await front.noSession();
    await front.rig.noConnection();
    expect(front.rig.front.sessions.size).toBe(0);
  });

  it('progress of a call leaves before its answer, in its order', async () => {
    await using front = await SseRig.open();
    await front.rig.mux.addServer('p', fixtureCommand('progress'));
    const { answer, to } = await front.initialized();
    const params = { name: 'p__count', arguments: { n: 3 }, _meta: { progressToken: 'mine' } };
    await front.status('POST', to, {}, { jsonrpc: '2.0', id: 7, method: 'tools/call', params });
    await answer.until('"id":7');
    const ofCall = messagesIn(answer.text).filter(({ id, method }) => id === 7 || method === PROGRESS);
    const [one, two, three, last] = ofCall;
    for (const step of [one, two, three]) expect(step).toMatchObject({ params: { progressToken: 'mine' } });
    expect([one, two, three].map((step) => step?.['params'])).toMatchObject(
      [1, 2, 3].map((progress) => ({ progress })),
    );
    expect(last).toMatchObject({ id: 7 });
    answer.destroy();
  });

  it('is not served without the flag', async () => {
    await using front = await SseRig.open({ sse: false });
    expect(await front.status('GET', '/sse')).toBe(404);
    expect(await front.status('POST', '/messages?sessionId=x', {}, PING)).toBe(404);
  });

  it('keeps the servers of a workspace to those that come to it', async () => {
    await using front = await SseRig.open();
    const stream = await front.stream('/sse/mine');
    expect(stream.to).toMatch(/^\/messages\/mine\?sessionId=[0-9a-f]{32}$/);
    expect(await front.status('POST', stream.to, {}, PING)).toBe(202);
    expect(await front.status('POST', stream.to.replace('/mine', ''), {}, PING)).toBe(404);
    stream.answer.destroy();
  });

  it('a session ends with its stream, and its calls are cancelled', async () => {
    await using front = await SseRig.open();
    await front.rig.mux.addServer('c', fixtureCommand('cancellable'));
    const { answer, to } = await front.initialized();
    const wait = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'c__wait', arguments: {} } };
    expect(await front.status('POST', to, {}, wait)).toBe(202);
    answer.destroy();
    await front.noSession();
    expect(await front.status('POST', to, {}, PING)).toBe(404);
    const reported = async (): Promise<string> =>
      JSON.stringify(await front.rig.mux.callTool('c__cancelled', {}));
    await expect.poll(reported, { timeout: 10_000 }).toContain('requestId');
  });
});

describe('who is let in there', () => {
  it('I1, I2: another Host or Origin is answered with 403', async () => {
    await using front = await SseRig.open();
    const { answer, to } = await front.stream();
    for (const headers of [{ host: 'evil.example' }, { origin: 'https://evil.example' }]) {
      expect(await front.status('GET', '/sse', headers)).toBe(403);
      expect(await front.status('POST', to, headers, PING)).toBe(403);
    }
    answer.destroy();
  });

  it('I3, I5: no token is answered with 401, and the session of somebody else with 404', async () => {
    await using front = await SseRig.open({ entrance: { credentials, metadata: undefined } });
    const { answer, to } = await front.stream('/sse', { authorization: 'ann' });
    expect(await front.status('GET', '/sse')).toBe(401);
    expect(await front.status('POST', to, {}, PING)).toBe(401);
    expect(await front.status('POST', to, { authorization: 'eve' }, PING)).toBe(404);
    expect(await front.status('POST', to, { authorization: 'ann' }, PING)).toBe(202);
    answer.destroy();
  });

  it('I6: an unknown session is answered with 404, and one that speaks the other transport, too', async () => {
    await using front = await SseRig.open();
    const other = await front.rig.session();
    const { answer, to } = await front.stream();
    const id = new URL(to, front.rig.url).searchParams.get('sessionId') ?? '';
    expect(await front.status('POST', '/messages?sessionId=0', {}, PING)).toBe(404);
    expect(await front.status('POST', '/messages', {}, PING)).toBe(400);
    expect(await front.status('POST', `/messages?sessionId=${other['mcp-session-id']}`, {}, PING)).toBe(404);
    expect(await front.status('POST', '/mcp', { 'mcp-session-id': id }, PING)).toBe(404);
    expect(await front.status('GET', '/mcp', { 'mcp-session-id': id })).toBe(404);
    answer.destroy();
  });

  it('I8: a stream takes a place, which it gives up when nobody introduces itself on it', async () => {
    await using front = await SseRig.open({ limits: { maxSessions: 1, evictableAfterMs: 1000 } });
    const silent = await front.stream();
    expect(await front.status('GET', '/sse')).toBe(503);
    front.rig.clock.now += 1000;
    const used = await front.initialized();
    await silent.answer.ended;
    front.rig.clock.now += 1000;
    expect(await front.status('GET', '/sse')).toBe(503);
    used.answer.destroy();
  });
});

describe('what is sent there', () => {
  it.each([
    [
      'I12: a body above the limit is answered with 413',
      413,
      { ...PING, params: { x: 'x'.repeat(2000) } },
      {},
    ],
    ['I12: a body with a content encoding is answered with 415', 415, PING, { 'content-encoding': 'gzip' }],
    ['a body of another type is answered with 415', 415, PING, { 'content-type': 'text/plain' }],
    ['a body that is no message is answered with 400', 400, { hello: 1 }, {}],
    ['a batch is answered with 400', 400, [PING], {}],
    ['a message is answered with 202', 202, PING, {}],
  ])('%s', async (_, status, body, headers) => {
    await using front = await SseRig.open({ limits: { maxBodyBytes: 1000 } });
    const { answer, to } = await front.stream();
    expect(await front.status('POST', to, headers, body)).toBe(status);
    answer.destroy();
  });

  it('a request with an id that is in flight is answered with 400', async () => {
    await using front = await SseRig.open();
    await front.rig.mux.addServer('h', fixtureCommand('hold-calls'));
    const { answer, to } = await front.initialized();
    const call = (id: number, name: string): object => {
      const params = { name, arguments: { key: 'k' } };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    };
    expect(await front.status('POST', to, {}, call(7, 'h__hold'))).toBe(202);
    expect(await front.status('POST', to, {}, call(7, 'h__hold'))).toBe(400);
    await front.status(
      'POST',
      to,
      {},
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } },
    );
    expect(await front.status('POST', to, {}, call(7, 'h__release'))).toBe(202);
    await answer.until('"id":7');
    expect(messagesIn(answer.text).filter(({ id }) => id === 7)).toHaveLength(1);
    answer.destroy();
  });

  it('I10: a client that reads late keeps its session, and gets more than may be unread', async () => {
    await using front = await SseRig.open({ limits: { maxUnreadBytes: 12_000_000 } });
    for (const name of ['a', 'b']) await front.rig.mux.addServer(name, fixtureCommand('oversized'));
    const { answer, to } = await front.initialized();
    answer.response.pause();
    let ended = 0;
    front.rig.mux.on('call:end', () => (ended += 1));
    await front.status('POST', to, {}, big(7, 'a__big'));
    await front.status('POST', to, {}, big(8, 'b__big'));
    await front.rig.until(() => ended === 2);
    answer.response.resume();
    await front.rig.until(() => answer.text.length > 2 * BIG && answer.text.endsWith('\n\n'));
    expect(messagesIn(answer.text).flatMap(({ id }) => (id === 7 || id === 8 ? [id] : []))).toHaveLength(2);
    expect(front.rig.front.sessions.size).toBe(1);
    answer.destroy();
  });

  it('I10: a client that never reads loses its session when it has taken nothing for long enough', async () => {
    await using front = await SseRig.open({ limits: { stallMs: 200, keepAliveMs: 20 } });
    for (const name of ['a', 'b']) await front.rig.mux.addServer(name, fixtureCommand('oversized'));
    const { answer, to } = await front.initialized();
    answer.response.pause();
    await front.status('POST', to, {}, big(7, 'a__big'));
    await front.status('POST', to, {}, big(8, 'b__big'));
    await front.noSession();
    expect(front.rig.front.sessions.size).toBe(0);
    answer.destroy();
  });

  it('I10: more than may be unread at once ends the session', async () => {
    await using front = await SseRig.open({ limits: { maxUnreadBytes: 64 * 1024 } });
    const { answer } = await front.initialized();
    answer.response.pause();
    const params = { data: 'x'.repeat(10_000_000) };
    await front.rig.links[0]?.send({ jsonrpc: '2.0', method: 'notifications/message', params });
    await front.noSession();
    expect(front.rig.front.sessions.size).toBe(0);
    answer.destroy();
  });

  it('a stream without messages carries comments', async () => {
    await using front = await SseRig.open({ limits: { keepAliveMs: 20 } });
    const { answer } = await front.stream();
    await answer.until(': keepalive\n\n: keepalive\n\n');
    expect(answer.response.closed).toBe(false);
    answer.destroy();
  });
});

it('I21: the end of mcpmux answers what is in flight, and ends the streams', async () => {
  await using front = await SseRig.open();
  await front.rig.mux.addServer('h', fixtureCommand('hold-calls'));
  const { answer, to } = await front.initialized();
  const params = { name: 'h__hold', arguments: { key: 'k' } };
  await front.status('POST', to, {}, { jsonrpc: '2.0', id: 7, method: 'tools/call', params });
  await front.rig.front.drain(() => Promise.resolve());
  await answer.ended;
  expect(messagesIn(answer.text).filter(({ id }) => id === 7)).toMatchObject([{ result: { isError: true } }]);
  expect(front.rig.front.sessions.size).toBe(0);
});
