import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it, vi } from 'vitest';

import { AGENTS } from './testing/agents.js';
import { Person } from './testing/person.js';
import { RawCli } from './testing/raw-cli.js';
import { serverIn } from './testing/server-list.js';
import { textOf } from './testing/tool-response.js';

/** On a machine with other things to do. */
const SOON = { timeout: 15_000, interval: 20 };
const SECRET = 'Bearer e2e-s3cr3t-token';

describe.each(AGENTS)('an agent on the %s and a server at a url', (_, connect) => {
  it('S13: adds it, calls it, sees a new tool, and removes it', async () => {
    await using server = await RemoteServer.open();
    await using agent = await connect();
    const added = await agent.call('add_server', {
      name: 'far',
      url: server.url,
      headers: { Authorization: SECRET },
    });
    expect(added).toMatchObject({ isError: false, structured: { name: 'far', status: 'running' } });
    await expect(agent.call('far__echo', { message: 'hello' })).resolves.toMatchObject({ text: 'hello' });
    await vi.waitUntil(() => server.requests.some(({ method }) => method === 'GET'), SOON);
    const changed = new Promise<void>((resolve) => agent.onListChanged(resolve));
    await agent.call('far__add_tool');
    await changed;
    await vi.waitUntil(async () => (await agent.tools()).some(({ name }) => name === 'far__added'), SOON);
    const list = await agent.call('list_servers');
    expect(serverIn(list, 'far')).toMatchObject({ url: server.url, pid: null, status: 'running' });
    expect(JSON.stringify(list)).not.toContain('s3cr3t');
    await agent.call('remove_server', { name: 'far' });
    expect(server.sessionCount).toBe(0);
  });

  it('fault I22: a lost session costs the call, and no more', async () => {
    await using server = await RemoteServer.open();
    await using agent = await connect();
    await agent.call('add_server', { name: 'far', url: server.url });
    server.loseSessions();
    const lost = await agent.call('far__echo', { message: 'one' });
    expect(lost).toMatchObject({ isError: true });
    expect(lost.text).toContain('has lost its session');
    await vi.waitUntil(
      async () => serverIn(await agent.call('list_servers'), 'far')?.status === 'running',
      SOON,
    );
    await expect(agent.call('far__echo', { message: 'two' })).resolves.toMatchObject({ text: 'two' });
    expect(server.of('tools/call')).toHaveLength(2);
  });
});

it('S13: a server at a url tells of its progress, asks the client, and is told of a cancellation', async () => {
  await using server = await RemoteServer.open();
  {
    await using mcpmux = new RawCli();
    await mcpmux.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'raw', version: '1' },
    });
    mcpmux.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    await mcpmux.call('add_server', { name: 'far', url: server.url });
    const params = { name: 'far__count', arguments: { n: 2 }, _meta: { progressToken: 'p' } };
    await mcpmux.request('tools/call', params, 'count');
    const reported = mcpmux.messages
      .filter(({ id, method }) => id === 'count' || method === 'notifications/progress')
      .map((message) => message.id ?? message.params?.['progress']);
    expect(reported).toEqual([1, 2, 'count']);
    const called = mcpmux.call('far__ask');
    const { id } = await mcpmux.until(() =>
      mcpmux.messages.find(({ method }) => method === 'elicitation/create'),
    );
    const result = { action: 'accept', content: { name: 'Ada' } };
    mcpmux.write(JSON.stringify({ jsonrpc: '2.0', id, result }));
    expect(textOf(await called)).toContain('Ada');
    mcpmux.write('{"jsonrpc":"2.0","id":"w","method":"tools/call","params":{"name":"far__wait"}}');
    await vi.waitUntil(() => server.of('tools/call').length === 3, SOON);
    mcpmux.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}}');
    await vi.waitUntil(() => server.state.cancelled === 1, SOON);
  }
  expect(server.sessionCount).toBe(0);
});

it('S13: what `mcpmux add NAME URL` writes is run by the commands, over both transports', async () => {
  await using http = await RemoteServer.open();
  await using sse = await RemoteServer.open({ transport: 'sse' });
  await using person = await Person.arrive();
  await person.configure({ mcpServers: { old: { type: 'sse', url: sse.url } } });
  await person.mcpmux('add', 'far', http.url, '-H', `Authorization: ${SECRET}`);
  expect(await person.mcpmux('call', 'far.echo', 'message=hi')).toMatchObject({ code: 0, stdout: 'hi\n' });
  expect(http.requests.at(-1)?.headers.authorization).toBe(SECRET);
  const found = await person.json('doctor');
  expect(found).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({ subject: 'far', level: 'ok' }),
      expect.objectContaining({ subject: 'old', level: 'ok' }),
    ]) as unknown,
  });
  expect(JSON.stringify(found)).not.toContain('s3cr3t');
});

it('S13: a server at a url of the config runs, with headers from the environment, and ends with mcpmux', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcpmux-e2e-remote-'));
  try {
    await using server = await RemoteServer.open();
    const config = join(folder, 'mcpmux.json');
    const headers = { Authorization: '${FAR_TOKEN}' };
    await writeFile(
      config,
      JSON.stringify({ mcpServers: { far: { type: 'http', url: server.url, headers } } }),
    );
    {
      await using mcpmux = new RawCli({ args: ['--config', config], env: { FAR_TOKEN: SECRET } });
      await mcpmux.initialize();
      await vi.waitUntil(async () => {
        const answer = await mcpmux.call('far__echo', { message: 'hello' });
        return answer.error === undefined && textOf(answer) === 'hello';
      }, SOON);
      expect(server.requests.map(({ headers: sent }) => sent.authorization)).toEqual(
        server.requests.map(() => SECRET),
      );
    }
    expect(server.sessionCount).toBe(0);
    await server.connections(0);
  } finally {
    await rm(folder, { recursive: true });
  }
});
