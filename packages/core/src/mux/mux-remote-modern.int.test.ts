import { ModernRemote } from '@mcpmux/test-servers/modern-remote';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it, vi } from 'vitest';

import type { ProtocolMode } from '../index.js';
import { ModernClient } from '../testing/modern-client.js';
import { modernLine } from '../testing/modern-lines.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };
const LISTEN = 'subscriptions/listen';
const REGION = {
  name: 'region',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      priority: { type: 'integer', 'x-mcp-header': 'Priority' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
      query: { type: 'string' },
    },
  },
};

/** A mux that tries servers in the modern era first. */
function modernRig(): Promise<MuxRig> {
  return MuxRig.open({ firstEra: 'modern' });
}

/** The revision in which the one server is spoken to. */
async function revisionOf(rig: MuxRig): Promise<unknown> {
  const { servers } = await rig.client.manage('list_servers');
  return (servers as readonly { readonly protocol_version?: string }[])[0]?.protocol_version;
}

const methodsOf = ({ posts }: ModernRemote): (string | undefined)[] => posts.map(({ body }) => body.method);

describe('the era of a server at a url', () => {
  it.each<readonly [string, 'legacy' | 'modern', ProtocolMode, string]>([
    ['modern', 'modern', 'auto', '2026-07-28'],
    ['modern', 'legacy', 'auto', '2026-07-28'],
    ['modern', 'legacy', 'modern', '2026-07-28'],
    ['dual', 'modern', 'auto', '2026-07-28'],
    ['dual', 'legacy', 'auto', '2025-11-25'],
    ['dual', 'modern', 'legacy', '2025-11-25'],
  ])(
    'of a %s one, tried as %s first with protocol %s, is that of %s',
    async (kind, firstEra, protocol, version) => {
      await using server = await ModernRemote.open({ hasHandshake: kind === 'dual' });
      await using rig = await MuxRig.open({ firstEra });
      await rig.mux.addServer('far', { url: server.url, protocol });
      await expect(revisionOf(rig)).resolves.toBe(version);
    },
  );

  it.each([{}, { transport: 'sse' }, { answersInJson: true }] as const)(
    'is the legacy one for a server on version 1 of the SDK with %j',
    async (options) => {
      await using server = await RemoteServer.open(options);
      await using rig = await modernRig();
      await rig.mux.addServer('far', { url: server.url });
      await expect(revisionOf(rig)).resolves.toBe('2025-11-25');
      expect(textOf((await rig.client.call('far__echo', { message: 'there' })).result)).toBe('there');
    },
  );

  it.each([400, 404, 405, 406, 415, 422, 500, 501])(
    'is the legacy one for a server that answers the probe with status %i',
    async (status) => {
      await using server = await ModernRemote.open({ hasHandshake: true });
      server.intercept = ({ body }, response) => {
        if (body.method !== 'server/discover') return false;
        response.writeHead(status, { 'content-type': 'text/plain' }).end('what?');
        return true;
      };
      await using rig = await modernRig();
      await rig.mux.addServer('far', { url: server.url });
      await expect(revisionOf(rig)).resolves.toBe('2025-11-25');
    },
  );

  it.each([401, 403, 429])('is not found out where the probe is answered with status %i', async (status) => {
    await using server = await ModernRemote.open({ hasHandshake: true });
    server.intercept = (_, response) => {
      response.writeHead(status).end();
      return true;
    };
    await using rig = await modernRig();
    await expect(rig.mux.addServer('far', { url: server.url })).rejects.toThrow(String(status));
    expect(methodsOf(server)).toEqual(['server/discover']);
  });

  it('is asked for once more by a server that refuses the very revision that it names', async () => {
    await using server = await ModernRemote.open();
    server.intercept = ({ body }, response) => {
      if (server.posts.length > 1) return false;
      const error = { code: -32022, message: 'unsupported', data: { supported: ['2026-07-28'] } };
      const text = JSON.stringify({ jsonrpc: '2.0', id: body.id, error });
      response.writeHead(400, { 'content-type': 'application/json' }).end(text);
      return true;
    };
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await expect(revisionOf(rig)).resolves.toBe('2026-07-28');
  });

  it('is remembered of a server that speaks the modern one alone', async () => {
    await using server = await ModernRemote.open();
    await using rig = await MuxRig.open({ firstEra: 'legacy' });
    await rig.mux.addServer('far', { url: server.url });
    expect(methodsOf(server)[0]).toBe('initialize');
    const known = server.posts.length;
    await rig.mux.reloadServer('far');
    expect(methodsOf(server)[known]).toBe('server/discover');
  });
});

describe('a modern server at a url', () => {
  it('gets the headers of each request, and no session', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url, headers: { 'X-Key': 'k' } });
    expect(textOf((await rig.client.call('far__echo', { n: 1 })).result)).toBe('{"n":1}');
    const [post] = server.of('tools/call');
    expect(post?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'x-key': 'k',
    });
    expect(server.posts.filter(({ headers }) => 'mcp-session-id' in headers)).toEqual([]);
    await rig.mux.removeServer('far');
    expect(server.others).toEqual([]);
  });

  it('gets the parameters that a tool wants as headers, from clients of both eras', async () => {
    await using server = await ModernRemote.open();
    server.tools = [REGION];
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    const args = { region: 'Zürich', priority: 42, dry: false, query: 'q' };
    const modern = new ModernClient(rig, {});
    for (const call of [rig.client.call('far__region', args), modern.call('far__region', args)])
      expect(textOf((await call).result)).toBe(JSON.stringify(args));
    for (const { headers } of server.of('tools/call')) {
      expect(headers).toMatchObject({
        'mcp-param-region': '=?base64?WsO8cmljaA==?=',
        'mcp-param-priority': '42',
        'mcp-param-dry-run': 'false',
      });
      expect(headers).not.toHaveProperty('mcp-param-query');
    }
  });

  it('loses a tool whose annotation is not valid, and no other', async () => {
    await using server = await ModernRemote.open();
    const properties = { score: { type: 'number', 'x-mcp-header': 'Score' } };
    server.tools = [REGION, { name: 'bad', inputSchema: { type: 'object', properties } }];
    await using rig = await modernRig();
    const { tools, warnings } = await rig.mux.addServer('far', { url: server.url });
    expect(tools).toEqual(['far__echo', 'far__count', 'far__wait', 'far__ask', 'far__region']);
    expect(warnings?.join()).toContain('tool "bad" was left out: its x-mcp-header "Score"');
  });

  it('tells of progress on the stream of the call', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await rig.client.request('tools/call', { name: 'far__count', _meta: { progressToken: 'mine' } });
    expect(rig.client.notified('notifications/progress')).toEqual(
      [1, 2].map((progress) => ({ progressToken: 'mine', progress })),
    );
  });

  it('asks by its result, and gets the state back as it is', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    const client = await MuxClient.initialized(rig.mux, { elicitation: {} });
    await rig.mux.addServer('far', { url: server.url });
    const called = client.call('far__ask');
    const { id } = await client.asked('elicitation/create');
    client.answer(id, { action: 'accept', content: { name: 'Ada' } });
    expect(JSON.parse(textOf((await called).result))).toEqual({
      requestState: 'state-1',
      inputResponses: { q: { action: 'accept', content: { name: 'Ada' } } },
    });
    const [first, second] = server.of('tools/call');
    expect(second?.body.id).not.toBe(first?.body.id);
  });

  it('notices a cancellation by the end of the stream alone', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    const { client } = rig;
    client.send('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"far__wait"}}');
    await vi.waitUntil(() => server.of('tools/call').length === 1, SOON);
    client.send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    await vi.waitUntil(() => server.cancelled.includes('tools/call'), SOON);
    expect(textOf((await client.call('far__echo', { n: 2 })).result)).toBe('{"n":2}');
    expect(server.of('notifications/cancelled')).toEqual([]);
  });

  it('answers errors by a status, which clients get as the errors that they are', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    const error = { code: -32021, message: 'no sampling', data: { requiredCapabilities: { sampling: {} } } };
    server.intercept = ({ body }, response) => {
      if (body.method !== 'tools/call') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error }));
      return true;
    };
    const modern = new ModernClient(rig, {});
    await expect(modern.call('far__echo')).resolves.toMatchObject({ error });
  });

  it('fails one request by a status without an error, and says which', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ body }, response) => {
      if (body.method !== 'tools/call') return false;
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"gone"}');
      return true;
    };
    const { result } = await rig.client.call('far__echo');
    expect(textOf(result)).toContain('answered 404 Not Found (gone)');
    expect(rig.status('far').status).toBe('running');
  });

  it('fails a call whose stream breaks off, and is asked for no rest of it', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ body }, response) => {
      if (body.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end('id: 7\ndata:\n\n');
      return true;
    };
    const { result } = await rig.client.call('far__echo');
    expect(textOf(result)).toContain('without an answer');
    expect(server.others).toEqual([]);
  });

  it('keeps the numbers, the order and the spelling of a result', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    const structured = String.raw`{"b":12345678901234567890,"a":1.0,"a":"\u00e9"}`;
    server.intercept = ({ body }, response) => {
      if (body.method !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      const result = `{"resultType":"complete","content":[],"structuredContent":${structured}}`;
      response.end(`{"jsonrpc":"2.0","id":${String(body.id)},"result":${result}}`);
      return true;
    };
    rig.client.send(modernLine('"m"', 'tools/call', { name: 'far__echo' }));
    await expect(rig.client.responseLine('"m"')).resolves.toContain(`"structuredContent":${structured}`);
  });
});

describe('what mcpmux listens to at a modern server at a url', () => {
  it('is one stream for all clients', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    const second = await MuxClient.initialized(rig.mux);
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    server.tools = [REGION];
    server.tell('notifications/tools/list_changed');
    await rig.listed('far', 'far__region');
    await second.line((line) => line.includes('notifications/tools/list_changed'));
    expect(server.of(LISTEN)).toHaveLength(1);
  });

  it('is opened again when it breaks off, and changes meanwhile are not missed', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    server.tools = [REGION];
    server.breakListens();
    await rig.listed('far', 'far__region');
    expect(server.of(LISTEN)).toHaveLength(2);
    expect(server.others).toEqual([]);
  });

  it('is opened later when the server is not there for it', async () => {
    await using server = await ModernRemote.open();
    server.intercept = ({ body }, response) => {
      if (body.method !== LISTEN || server.of(LISTEN).length > 1) return false;
      response.destroy();
      return true;
    };
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    expect(server.of(LISTEN)).toHaveLength(2);
  });

  it('is nothing at a server that does not know how', async () => {
    await using server = await ModernRemote.open({ isDeaf: true });
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await vi.waitUntil(() => server.of(LISTEN).length === 1, SOON);
    expect(textOf((await rig.client.call('far__echo', {})).result)).toBe('{}');
  });

  it('ends with the server', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    await vi.waitUntil(() => server.listenCount === 1, SOON);
    await rig.mux.removeServer('far');
    await vi.waitUntil(() => server.listenCount === 0, SOON);
    expect(server.of('notifications/cancelled')).toEqual([]);
  });
});

describe('a modern server at a url that wants other headers than its tools said', () => {
  /** The tool as it was, and as it is from then on. */
  const before = { name: 'region', inputSchema: { type: 'object', properties: {} } };
  const call = { region: 'eu' };

  it('is asked for its tools once more, and gets the call with these headers', async () => {
    await using server = await ModernRemote.open();
    server.tools = [before];
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    server.tools = [REGION];
    expect(textOf((await rig.client.call('far__region', call)).result)).toBe(JSON.stringify(call));
    expect(server.of('tools/call')).toHaveLength(2);
    expect(server.of('tools/list')).toHaveLength(2);
  });

  it('is not called again with the same headers', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig();
    await rig.mux.addServer('far', { url: server.url });
    server.intercept = ({ body }, response) => {
      if (body.method !== 'tools/call') return false;
      response.writeHead(400, { 'content-type': 'application/json' });
      const error = { code: -32020, message: 'Header mismatch' };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, error }));
      return true;
    };
    await expect(rig.client.call('far__echo')).resolves.toMatchObject({
      error: { message: 'Header mismatch' },
    });
    expect(server.of('tools/call')).toHaveLength(1);
  });
});
