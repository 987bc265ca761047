import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { ConfigEditor } from './api/dashboard-parts.js';
import { PageRig } from './testing/page-rig.js';

interface Shown {
  readonly name: string;
  readonly layer?: string;
  readonly workspace?: string;
  readonly pid?: number;
  readonly calls?: { readonly count: number };
}

it('a page reaches the servers of each workspace, also those of the same name', async () => {
  await using rig = await PageRig.open();
  for (const folder of ['/one', '/two'])
    await rig.mux.openWorkspace(folder).addServer('echo', fixtureCommand('echo'));
  const headers = await rig.logIn();
  const servers = async (): Promise<readonly Shown[]> =>
    (
      JSON.parse((await rig.send('/ui/api/overview', { headers })).text) as {
        readonly servers: readonly Shown[];
      }
    ).servers;
  const [one, two] = await servers();
  expect([one?.workspace, two?.workspace]).toEqual(['/one', '/two']);
  const at = `layer=${encodeURIComponent(two?.layer ?? '')}`;
  const post = (path: string, body: object) => rig.send(`/ui/api/${path}`, { method: 'POST', headers, body });
  const rpc = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  expect((await post(`mcp?${at}`, rpc('tools/list'))).text).toContain('echo__echo');
  const call = rpc('tools/call', { name: 'echo__echo', arguments: { message: 'hello' } });
  expect((await post(`mcp?${at}`, call)).text).toContain('hello');
  const log = await rig.send(`/ui/api/log?server=echo&${at}`, { headers });
  expect(log.text).toContain(`pid ${two?.pid}`);
  expect((await rig.send(`/ui/api/tools?${at}`, { headers })).status).toBe(200);
  const place = { name: 'echo', layer: two?.layer };
  expect(JSON.parse((await post('reload', place)).text)).toEqual({ status: 'running', tools: 2 });
  expect((await servers())[0]?.pid).toBe(one?.pid);
  expect(JSON.parse((await post('remove', place)).text)).toEqual({ status: 'removed' });
  expect(await servers()).toMatchObject([{ layer: one?.layer }]);
});

it('events and calls name the layer of their server; those of a server of all clients name none', async () => {
  await using rig = await PageRig.open();
  const one = rig.mux.openWorkspace('/one');
  const stream = rig.mux.events();
  await one.addServer('echo', fixtureCommand('echo'));
  await rig.mux.addServer('echo', fixtureCommand('echo'));
  const [layer] = rig.mux.listServers({ everywhere: true }).flatMap((server) => server.layer ?? []);
  const headers = await rig.logIn();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo__echo', arguments: {} } };
  for (const query of [`?layer=${encodeURIComponent(layer ?? '')}`, ''])
    await rig.send(`/ui/api/mcp${query}`, { method: 'POST', headers, body: call });
  await rig.mux.close();
  const layers: Record<string, Set<unknown>> = {};
  for await (const event of stream)
    if ('server' in event && event.type !== 'audit')
      (layers[event.type] ??= new Set()).add('layer' in event ? event.layer : 'none');
  expect(layers).toMatchObject({
    'server:added': new Set([layer, 'none']),
    'server:state': new Set([layer, 'none']),
    'call:start': new Set([layer, 'none']),
    'call:end': new Set([layer, 'none']),
  });
});

it('the overview has the calls of each server, also of those of the same name', async () => {
  const asked: object[] = [];
  const callsOf = (server: object): { count: number; failed: number; running: number } => {
    asked.push(server);
    return { count: asked.length, failed: 0, running: 0 };
  };
  await using rig = await PageRig.open({ callsOf });
  for (const folder of ['/one', '/two'])
    await rig.mux.openWorkspace(folder).addServer('echo', fixtureCommand('echo'));
  const overview = await rig.send('/ui/api/overview', { headers: await rig.logIn() });
  const { servers } = JSON.parse(overview.text) as { readonly servers: readonly Shown[] };
  expect(servers.map(({ calls }) => calls?.count)).toEqual([1, 2]);
  expect(asked).toEqual(servers.map(({ name, layer }) => ({ server: name, layer })));
});

it('a page is told of a layer that has ended', async () => {
  await using rig = await PageRig.open();
  const headers = await rig.logIn();
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const answer of [
    await rig.send('/ui/api/mcp?layer=window+9', { method: 'POST', headers, body: request }),
    await rig.send('/ui/api/log?server=x&layer=window+9', { headers }),
    await rig.send('/ui/api/tools?layer=window+9', { headers }),
    await rig.send('/ui/api/remove', { method: 'POST', headers, body: { name: 'x', layer: 'window 9' } }),
  ]) {
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('window 9');
  }
});

it('a server that only has the name of an entry of the config is none of the config', async () => {
  const editor: ConfigEditor = {
    entries: () => [{ name: 'echo', status: 'ready' }],
    has: ({ name, layer }) => name === 'echo' && layer === undefined,
    change: () => Promise.reject(new Error('none')),
  };
  await using rig = await PageRig.open({ editor });
  for (const host of [rig.mux.openWorkspace('/one'), rig.mux])
    await host.addServer('echo', fixtureCommand('echo'));
  const { text } = await rig.send('/ui/api/overview', { headers: await rig.logIn() });
  const { servers } = JSON.parse(text) as { readonly servers: readonly (Shown & { isOfConfig: boolean })[] };
  expect(servers.map(({ layer, isOfConfig }) => [layer !== undefined, isOfConfig])).toEqual([
    [true, false],
    [false, true],
  ]);
});
