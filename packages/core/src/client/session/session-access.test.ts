import { aliasUri, parseServerName } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import { accessControl, type AccessRule } from '../../guards/access-control.js';
import { SessionsRig } from '../../testing/sessions-rig.js';

/** The resource of the second server: the first has one of the same URI. */
const ALIAS = aliasUri('file:///x', parseServerName('closed'));

/** Two servers with everything, and one client for whom these rules hold. */
async function rigWith(...rules: readonly AccessRule[]) {
  const rig = new SessionsRig();
  const init = {
    tools: ['get', 'put'],
    prompts: ['ask'],
    resources: ['file:///x'],
    capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
  };
  const [open, closed] = [rig.server('open', init), rig.server('closed', init)];
  rig.guards.use(accessControl({ rules: [{ servers: ['mcpmux'] }, ...rules] }));
  const client = await rig.client();
  return { rig, open, closed, client };
}

async function namesIn(
  client: Awaited<ReturnType<typeof rigWith>>['client'],
  list: 'tools' | 'prompts' | 'resources',
): Promise<readonly (string | undefined)[]> {
  const [line = '{}'] = await client.request('1', `${list}/list`);
  const { result } = JSON.parse(line) as {
    result?: Record<string, readonly { readonly name?: string; readonly uri?: string }[]>;
  };
  return (result?.[list] ?? []).map(({ name, uri }) => uri ?? name);
}

describe('a session that sees a part of the servers', () => {
  it('A12: a tool that is closed is in no list, and its call is refused in whatever way it is called', async () => {
    const { closed, client } = await rigWith({ servers: ['open'] }, { servers: ['closed'], tools: ['get'] });
    expect(await namesIn(client, 'tools')).toEqual([
      'own_tool',
      'call_tool',
      'open__get',
      'open__put',
      'closed__get',
    ]);
    for (const params of [
      '{"name":"closed__put"}',
      '{"name":"call_tool","arguments":{"name":"closed__put","arguments":{}}}',
    ]) {
      const [line] = await client.request('2', 'tools/call', params);
      expect(line).toContain('"code":-32602');
      expect(line).toContain('is not permitted for');
    }
    expect(closed.received).toEqual([]);
  });

  it('A12: a bare name means the tool that is open, where another server has one that is not', async () => {
    const { open, closed, client } = await rigWith({ servers: ['open'] });
    await client.request('1', 'tools/call', '{"name":"put"}');
    expect(open.received.at(-1)).toContain('"name":"put"');
    expect(closed.received).toEqual([]);
  });

  it('A12: prompts and resources of a server that is closed are in no list', async () => {
    const { client } = await rigWith({ servers: ['open'] });
    expect(await namesIn(client, 'prompts')).toEqual(['open__ask']);
    expect(await namesIn(client, 'resources')).toEqual(['file:///x']);
  });

  it.each([
    ['prompts/get', '{"name":"closed__ask"}'],
    ['resources/read', `{"uri":"${ALIAS}"}`],
    ['resources/subscribe', `{"uri":"${ALIAS}"}`],
    ['completion/complete', '{"ref":{"type":"ref/prompt","name":"closed__ask"},"argument":{}}'],
    ['tasks/get', '{"taskId":"mux1:closed:1"}'],
    ['x/y', '{"name":"closed__get"}'],
  ] as const)('A12: %s reaches a server only where it is open', async (method, params) => {
    const notification = `{"jsonrpc":"2.0","method":"notifications/x","params":${params}}`;
    const shut = await rigWith({ servers: ['open'] });
    await shut.client.request('1', method, params);
    await shut.client.exchange(notification);
    expect(shut.closed.received).toEqual([]);
    const free = await rigWith({});
    await free.client.request('1', method, params);
    expect(free.closed.received).toHaveLength(1);
    await free.client.exchange(notification);
    expect(free.closed.received.length).toBeGreaterThan(method === 'completion/complete' ? 0 : 1);
  });

  it('A12: a resource that nobody knows is looked for only at servers that are open', async () => {
    const { open, closed, client } = await rigWith({ servers: ['open'] });
    await client.request('1', 'resources/read', '{"uri":"http://unknown/"}');
    expect(open.received).toHaveLength(1);
    expect(closed.received).toEqual([]);
  });

  it('A12: what a closed server says of itself reaches only those that see it', async () => {
    const { open, closed, client } = await rigWith(
      { servers: ['open'] },
      { principals: ['local'], allow: false },
    );
    await closed.report('notifications/message', '{"level":"error","data":"secret"}');
    expect(client.take()).toEqual([]);
    await open.report('notifications/message', '{"level":"error","data":"news"}');
    expect(client.take()).toHaveLength(1);
  });

  it('A12: an unknown name is answered without the names of what is closed', async () => {
    const { client } = await rigWith({ servers: ['open'] });
    const [line] = await client.request('1', 'tools/call', '{"name":"other__get"}');
    expect(line).toContain('Registered servers: open.');
    expect(line).not.toContain('closed');
  });

  it('A12: rules that change count from the next request on', async () => {
    const { rig, client } = await rigWith({});
    expect(await namesIn(client, 'prompts')).toHaveLength(2);
    const stop = rig.guards.use(accessControl({ rules: [] }));
    expect(await namesIn(client, 'prompts')).toEqual([]);
    stop();
    expect(await namesIn(client, 'prompts')).toHaveLength(2);
  });
});
