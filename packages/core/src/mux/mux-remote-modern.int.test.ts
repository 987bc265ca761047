import { ModernRemote } from '@mcpmux/test-servers/modern-remote';
import { describe, expect, it, vi } from 'vitest';

import { ModernClient } from '../testing/modern-client.js';
import { modernLine } from '../testing/modern-lines.js';
import { modernRig, REGION } from '../testing/modern-rig.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';

/** On a machine with other things to do. */
const SOON = { timeout: 10_000, interval: 5 };

describe('a modern server at a url', () => {
  it('S13: gets the headers of each request, and no session', async () => {
    await using server = await ModernRemote.open();
    await using rig = await MuxRig.open({ firstEra: 'modern' });
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

  it('S13: gets the parameters that a tool wants as headers, from clients of both eras', async () => {
    await using server = await ModernRemote.open();
    server.tools = [REGION];
    await using rig = await modernRig(server);
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
    await using rig = await MuxRig.open({ firstEra: 'modern' });
    const { tools, warnings } = await rig.mux.addServer('far', { url: server.url });
    expect(tools).toEqual(['far__echo', 'far__count', 'far__wait', 'far__ask', 'far__region']);
    expect(warnings?.join()).toContain('tool "bad" was left out: its x-mcp-header "Score"');
  });

  it('S13: tells of progress on the stream of the call', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    await rig.client.request('tools/call', { name: 'far__count', _meta: { progressToken: 'mine' } });
    expect(rig.client.notified('notifications/progress')).toEqual(
      [1, 2].map((progress) => ({ progressToken: 'mine', progress })),
    );
  });

  it('S13: asks by its result, and gets the state back as it is', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    const client = await MuxClient.initialized(rig.mux, { elicitation: {} });
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

  it('S13: notices a cancellation by the end of the stream alone', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
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
    await using rig = await modernRig(server);
    const error = { code: -32021, message: 'no sampling', data: { requiredCapabilities: { sampling: {} } } };
    server.answers('tools/call', 400, `{"jsonrpc":"2.0","id":$id,"error":${JSON.stringify(error)}}`);
    const modern = new ModernClient(rig, {});
    await expect(modern.call('far__echo')).resolves.toMatchObject({ error });
  });

  it('fails one request by a status without an error, and says which', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    server.answers('tools/call', 404, '{"error":"gone"}');
    const { result } = await rig.client.call('far__echo');
    expect(textOf(result)).toContain('answered 404 Not Found (gone)');
    expect(rig.status('far').status).toBe('running');
  });

  it('gets no answer to a request of its own: there is no way for one', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    const events = [
      '{"jsonrpc":"2.0","id":"s","method":"ping"}',
      '{"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete","content":[{"type":"text","text":"done"}]}}',
    ];
    const body = events.map((event) => `data: ${event}\n\n`).join('');
    server.answers('tools/call', 200, body, 'text/event-stream');
    expect(textOf((await rig.client.call('far__echo')).result)).toBe('done');
    expect(server.posts.filter(({ body: { method } }) => method === undefined)).toEqual([]);
  });

  it('fails a call whose stream breaks off, and is asked for no rest of it', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    server.answers('tools/call', 200, 'id: 7\ndata:\n\n', 'text/event-stream');
    const { result } = await rig.client.call('far__echo');
    expect(textOf(result)).toContain('without an answer');
    expect(server.others).toEqual([]);
  });

  it('S13: keeps the numbers, the order and the spelling of a result', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    const structured = String.raw`{"b":12345678901234567890,"a":1.0,"a":"\u00e9"}`;
    const result = `{"resultType":"complete","content":[],"structuredContent":${structured}}`;
    server.answers('tools/call', 200, `{"jsonrpc":"2.0","id":$id,"result":${result}}`);
    rig.client.send(modernLine('"m"', 'tools/call', { name: 'far__echo' }));
    await expect(rig.client.responseLine('"m"')).resolves.toContain(`"structuredContent":${structured}`);
  });
});

describe('a modern server at a url that wants other headers than its tools said', () => {
  /** The tool as it was, and as it is from then on. */
  const before = { name: 'region', inputSchema: { type: 'object', properties: {} } };
  const call = { region: 'eu' };

  it('is asked for its tools once more, and gets the call with these headers', async () => {
    await using server = await ModernRemote.open();
    server.tools = [before];
    await using rig = await modernRig(server);
    server.tools = [REGION];
    expect(textOf((await rig.client.call('far__region', call)).result)).toBe(JSON.stringify(call));
    expect(server.of('tools/call')).toHaveLength(2);
    expect(server.of('tools/list')).toHaveLength(2);
  });

  it('is not called again with the same headers', async () => {
    await using server = await ModernRemote.open();
    await using rig = await modernRig(server);
    const error = '{"code":-32020,"message":"Header mismatch"}';
    server.answers('tools/call', 400, `{"jsonrpc":"2.0","id":$id,"error":${error}}`);
    await expect(rig.client.call('far__echo')).resolves.toMatchObject({
      error: { message: 'Header mismatch' },
    });
    expect(server.of('tools/call')).toHaveLength(1);
  });
});
