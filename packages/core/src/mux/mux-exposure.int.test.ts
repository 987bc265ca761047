import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { callAudit } from '../guards/index.js';
import { createMux } from './mux.js';
import { MuxClient } from '../testing/mux-client.js';

const LEAST = ['call_tool', 'search_tools'];

async function names(client: MuxClient): Promise<readonly unknown[]> {
  return (await client.tools()).map(({ name }) => name);
}

describe('a client whose list leaves tools out', () => {
  it('finds, lists and calls them, and sees them in its list from then on', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('e', fixtureCommand('echo'));
    const client = await MuxClient.initialized(mux);
    await expect(names(client)).resolves.toEqual(LEAST);
    const found = await client.manage('search_tools', { query: 'echo', limit: 1 });
    expect(found['tools']).toEqual([expect.objectContaining({ name: 'e__echo' })]);
    await client.listChanged(1);
    await expect(names(client)).resolves.toEqual([...LEAST, 'e__echo']);
    const called = await client.call('call_tool', { name: 'e__echo', arguments: { message: 'hi' } });
    expect(called.result).toMatchObject({ content: [{ text: 'hi' }] });
    const other = await MuxClient.initialized(mux);
    await expect(names(other)).resolves.toEqual(LEAST);
    // Not listed, and there all the same.
    await expect(other.call('e__echo', { message: 'hi' })).resolves.toMatchObject({
      result: { content: [{ text: 'hi' }] },
    });
  });

  it('is not told of a longer list after a search for names alone', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('e', fixtureCommand('echo'));
    const client = await MuxClient.initialized(mux);
    await client.manage('search_tools', { query: 'echo', detail: 'name' });
    await expect(names(client)).resolves.toEqual(LEAST);
  });

  it('finds the tools of mcpmux that its list leaves out, and calls them by name or by call_tool', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    const client = await MuxClient.initialized(mux);
    const found = await client.manage('search_tools', { query: 'add a server', detail: 'name' });
    expect((found['tools'] as unknown[])[0]).toEqual({ name: 'add_server' });
    const add = { name: 'add_server', arguments: { name: 'e', ...fixtureCommand('echo') } };
    const { result } = await client.call('call_tool', add);
    const added = result?.['structuredContent'];
    expect(added).toMatchObject({ tools: [{ name: 'e__echo' }, { name: 'e__slow_echo' }] });
    expect(JSON.stringify(added)).not.toContain('inputSchema');
    expect(JSON.stringify(added)).toContain('not in tools/list');
    await expect(client.manage('list_servers')).resolves.toMatchObject({ servers: [{ name: 'e' }] });
  });

  it('is told when the host changes its list', async () => {
    await using mux = createMux();
    await mux.addServer('e', fixtureCommand('echo'));
    const client = await MuxClient.initialized(mux);
    expect(await names(client)).toContain('e__echo');
    mux.expose({ mode: 'search' });
    await client.listChanged(1);
    await expect(names(client)).resolves.toEqual(LEAST);
  });

  it('sees what a server has for every client', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('e', fixtureCommand('echo'), {
      tools: { shown: (tool) => (tool === 'echo' ? undefined : false), exposure: { mode: 'all' } },
    });
    const client = await MuxClient.initialized(mux);
    await expect(names(client)).resolves.toEqual([...LEAST, 'e__echo']);
  });
});

describe('a call by call_tool', () => {
  it('passes the guards and the audit as a call of the tool, with the bytes of its arguments', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('e', fixtureCommand('echo-v2'));
    const audited: unknown[] = [];
    mux.use(callAudit({ sink: (entry) => void audited.push(entry) }));
    const seen: unknown[] = [];
    mux.use('tools/call', (context, next) => {
      seen.push([context.server, context.tool]);
      return next();
    });
    const client = await MuxClient.initialized(mux);
    client.send(
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"call_tool","arguments":' +
        '{"name":"e__echo","arguments":{"message":"hi","big":12345678901234567890,"n":1.0}}}}',
    );
    await expect(client.responseLine('7')).resolves.toContain('"hi"');
    expect(seen).toEqual([['e', 'echo']]);
    expect(audited).toMatchObject([{ server: 'e', tool: 'echo' }]);
  });

  it('has the progress of the tool under the token of the call', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('p', fixtureCommand('progress'));
    const client = await MuxClient.initialized(mux);
    client.send(
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"call_tool","_meta":{"progressToken":"mine"},' +
        '"arguments":{"name":"p__count","arguments":{"n":2}}}}',
    );
    await client.responseLine('9');
    expect(client.notified('notifications/progress')).toMatchObject([
      { progressToken: 'mine', progress: 1 },
      { progressToken: 'mine', progress: 2 },
    ]);
  });

  it('is cancelled with it', async () => {
    await using mux = createMux({ exposure: { mode: 'search' } });
    await mux.addServer('e', fixtureCommand('echo-v2'));
    const client = await MuxClient.initialized(mux);
    client.send(
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"call_tool","_meta":{"progressToken":"p"},' +
        '"arguments":{"name":"e__slow_echo","arguments":{"message":"late","delay_ms":60000}}}}',
    );
    client.send(
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8,"reason":"enough"}}',
    );
    await expect(client.call('e__echo', { message: 'next' })).resolves.toMatchObject({
      result: { content: [{ text: 'next' }] },
    });
    expect(client.lines.filter((line) => line.includes('"id":8'))).toEqual([]);
  });
});

it('list_servers says what the list leaves out of each server, and nothing where it has all', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  const client = await MuxClient.initialized(mux);
  const before = (await client.manage('list_servers'))['servers'] as readonly Record<string, unknown>[];
  expect(before[0]).not.toHaveProperty('tokens');
  mux.expose({ mode: 'search' });
  const after = (await client.manage('list_servers'))['servers'] as readonly Record<string, unknown>[];
  expect(after[0]).toMatchObject({
    tokens: { all: expect.any(Number) as number, listed: 0, unlisted_tools: 2 },
  });
});
