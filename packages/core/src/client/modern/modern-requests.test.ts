import { describe, expect, it } from 'vitest';

import { envelope, modernLine } from '../../testing/modern-lines.js';
import { SessionsRig, type RigClient } from '../../testing/sessions-rig.js';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

interface Answer {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function parsed(lines: readonly string[]): readonly Answer[] {
  return lines.map((line) => JSON.parse(line) as Answer);
}

async function only(client: RigClient, line: string): Promise<Answer> {
  const [answer, ...others] = parsed(await client.exchange(line));
  if (answer === undefined || others.length > 0) throw new Error(`${others.length + 1} answers`);
  return answer;
}

describe('a request that describes its client', () => {
  it('is served without a handshake, and its result says that it is complete', async () => {
    const client = new SessionsRig().stranger();
    await expect(only(client, modernLine('1', 'tools/list'))).resolves.toMatchObject({
      id: 1,
      result: {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        tools: expect.any(Array) as unknown,
      },
    });
  });

  it('discovers mcpmux at once, without tasks', async () => {
    const rig = new SessionsRig();
    rig.server('x', { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } });
    const { result } = await only(rig.stranger(), modernLine('"d"', 'server/discover'));
    expect(result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'mcpmux', version: '1' } },
    });
    expect(Object.keys(result?.['capabilities'] as object)).toEqual([
      'tools',
      'prompts',
      'resources',
      'completions',
      'logging',
      'extensions',
    ]);
    expect(result?.['instructions']).toContain('mcpmux');
  });

  it.each([
    ['server/discover', '', VERSION],
    ['tools/list', `"${VERSION}":"2026-07-28"`, CAPABILITIES],
    ['tools/list', `"${VERSION}":"2026-07-28","${CAPABILITIES}":[]`, CAPABILITIES],
    ['tools/list', `"${VERSION}":1,"${CAPABILITIES}":{}`, VERSION],
    [
      'tools/list',
      `"${VERSION}":"2026-07-28","${CAPABILITIES}":{},"io.modelcontextprotocol/logLevel":"loud"`,
      'io.modelcontextprotocol/logLevel',
    ],
  ])('is refused with a broken envelope: %s {%s}', async (method, meta, key) => {
    const line = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"_meta":{${meta}}}}`;
    const { error } = await only(new SessionsRig().stranger(), line);
    expect(error).toMatchObject({ code: -32602, data: { envelope: { key } } });
  });

  it('is refused in a revision that mcpmux does not speak', async () => {
    const line = modernLine('1', 'tools/list', {}, { meta: { [VERSION]: '2099-01-01' } });
    const { error } = await only(new SessionsRig().stranger(), line);
    expect(error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'], requested: '2099-01-01' },
    });
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list'])(
    'has no method of the era before: %s',
    async (method) => {
      const { error } = await only(new SessionsRig().stranger(), modernLine('1', method));
      expect(error?.code).toBe(-32601);
    },
  );

  it('reaches a legacy server without its envelope, and the result is completed', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const client = rig.stranger();
    const meta = { progressToken: 'mine', other: 1, traceparent: '00' };
    await client.exchange(modernLine('"a"', 'tools/call', { name: 'x__t', arguments: { n: 1.5 } }, { meta }));
    expect(server.received.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 't',
          arguments: { n: 1.5 },
          _meta: { progressToken: 1, other: 1, traceparent: '00' },
        },
      },
    ]);
    await server.report('notifications/progress', '{"progressToken":1,"progress":1}');
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[],"big":12345678901234567890}}');
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"mine","progress":1}}',
      '{"jsonrpc":"2.0","id":"a","result":{"resultType":"complete","content":[],"big":12345678901234567890}}',
    ]);
  });

  it('gets one resultType where a legacy server has one of its own', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { resources: ['x:a'], capabilities: { resources: {} } });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'resources/read', { uri: 'x:a' }));
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"ttlMs":-1,"contents":[],"resultType":"odd"}}');
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{"cacheScope":"private","ttlMs":0,"contents":[],"resultType":"complete"}}',
    ]);
  });

  it('gets the code of its own era for a resource that is not there', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { resources: ['x:a'], capabilities: { resources: {} } });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'resources/read', { uri: 'x:a' }));
    await server.exchange(
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"gone","data":{"uri":"x:a"}}}',
    );
    expect(parsed(client.take())).toMatchObject([
      { id: 1, error: { code: -32602, message: 'gone', data: { uri: 'x:a' } } },
    ]);
  });

  it('is cancelled at its server', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const client = rig.stranger();
    await client.exchange(modernLine('"a"', 'tools/call', { name: 'x__t' }));
    await client.exchange(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"user","_meta":{${envelope()}},"requestId":"a"}}`,
    );
    expect(server.received.at(-1)).toBe(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"user","requestId":1}}',
    );
    await server.exchange('{"jsonrpc":"2.0","id":1,"result":{"content":[]}}');
    expect(client.take()).toEqual([]);
  });

  it('lists no execution of tools', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const [tool] = server.upstream.tools;
    if (tool === undefined) throw new Error('no tool');
    const bytes = Buffer.from(
      '{"name":"t","execution":{"taskSupport":"optional"},"inputSchema":{"type":"object"}}',
    );
    server.upstream.tools = [{ ...tool, bytes }];
    const { result } = await only(rig.stranger(), modernLine('1', 'tools/list'));
    expect(JSON.stringify(result)).toContain('x__t');
    expect(JSON.stringify(result)).not.toContain('execution');
  });
});

describe('a pipe', () => {
  it('carries both eras at once, and each message decides for itself', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const client = await rig.client();
    await client.exchange(
      modernLine('1', 'tools/call', { name: 'x__t' }),
      '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x__t"}}',
    );
    await server.exchange(
      '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
    );
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}',
      '{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}',
    ]);
  });

  it('that has carried requests of the modern era alone gets no notification that nobody asked for', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'] });
    const client = rig.stranger();
    await client.exchange(
      modernLine('1', 'tools/list'),
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}',
    );
    client.take();
    rig.sessions.announceChanges(
      new Map([[server.upstream.layer, new Set(['notifications/tools/list_changed'])]]),
    );
    await server.report('notifications/message', '{"level":"emergency","data":1}');
    await server.report('notifications/whatever', '{}');
    await server.report('notifications/resources/updated', '{"uri":"x:a"}');
    expect(client.take()).toEqual([]);
  });
});

describe('log messages of a legacy server', () => {
  const logs = { meta: { 'io.modelcontextprotocol/logLevel': 'warning' } };

  it('go to the request in flight there that asked for them, and to nobody else', async () => {
    const rig = new SessionsRig();
    const server = rig.server('x', { tools: ['t'], capabilities: { logging: {} } });
    const client = rig.stranger();
    await client.exchange(modernLine('1', 'tools/call', { name: 'x__t' }, logs));
    expect(server.received.map((line) => (JSON.parse(line) as Answer).method)).toEqual([
      'logging/setLevel',
      'tools/call',
    ]);
    await server.report('notifications/message', '{"level":"info","data":"quiet"}');
    await server.report('notifications/message', '{"level":"error","data":"loud"}');
    expect(client.take()).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","logger":"x","data":"loud"}}',
    ]);
    await server.exchange('{"jsonrpc":"2.0","id":2,"result":{"content":[]}}');
    client.take();
    await server.report('notifications/message', '{"level":"error","data":"late"}');
    expect(client.take()).toEqual([]);
  });
});
