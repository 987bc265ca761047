import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { HOST } from '../guards/principal.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';

/** A client as a window in a folder. */
function windowIn(rig: MuxRig, folder: string): Promise<MuxClient> {
  return MuxClient.initialized(rig.mux, {}, { workspace: folder, isolated: true, folder });
}

/** Two windows in one folder, each with a server of the name `mine`. */
async function twoWindows() {
  const rig = await MuxRig.open({ hasWindows: true, addPolicy: { mode: 'allow' } });
  await rig.add('all', 'echo');
  const [one, two] = [await windowIn(rig, '/'), await windowIn(rig, '/')];
  const { command, args } = fixtureCommand('echo');
  for (const window of [one, two]) await window.manage('add_server', { name: 'mine', command, args });
  const mine = () => rig.mux.listServers({ everywhere: true }).filter(({ name }) => name === 'mine');
  return { rig, one, two, mine };
}

/** The result of a request without a connection, in a layer. */
async function asked(rig: MuxRig, layer: string, method: string, params: object = {}): Promise<unknown> {
  const line = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  let result: unknown;
  await rig.mux.handle(line, { principal: HOST, layer }, (answer) => {
    ({ result } = JSON.parse(Buffer.from(answer).toString()) as { readonly result: unknown });
  });
  return result;
}

it('the status of a server of one window or folder names its layer, which tells it from its namesakes', async () => {
  const { rig, mine } = await twoWindows();
  await using _ = rig;
  const folder = rig.mux.openWorkspace('/');
  await folder.addServer('ours', fixtureCommand('echo'));
  const places = rig.mux
    .listServers({ everywhere: true })
    .map(({ name, layer, workspace, session }) => ({ name, layer, workspace, session }));
  const [first, second] = mine();
  expect(places).toEqual([
    { name: 'all' },
    { name: 'mine', layer: first?.layer, workspace: '/', session: first?.session },
    { name: 'mine', layer: second?.layer, workspace: '/', session: second?.session },
    { name: 'ours', layer: 'workspace 1', workspace: '/' },
  ]);
  expect(first?.layer).not.toBe(second?.layer);
  expect(
    rig.mux
      .listClients()
      .slice(-2)
      .map(({ session }) => session),
  ).toEqual([first?.session, second?.session]);
});

it('the host reloads and removes a server of one window, and no other of that name', async () => {
  const { rig, mine } = await twoWindows();
  await using _ = rig;
  const [first, second] = mine();
  const { pid, layer } = await rig.mux.reloadServer('mine', { layer: second?.layer });
  expect(layer).toBe(second?.layer);
  expect(pid).not.toBe(second?.pid);
  expect(mine()[0]?.pid).toBe(first?.pid);
  await rig.mux.removeServer('mine', { layer: first?.layer });
  expect(mine().map((server) => server.layer)).toEqual([second?.layer]);
  // A server further out has the name, and is not meant.
  for (const refused of [
    rig.mux.removeServer('all', { layer: second?.layer }),
    rig.mux.reloadServer('all', { layer: second?.layer }),
    rig.mux.removeServer('mine'),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
});

it('a request without a connection reaches the servers of a layer, until that ends', async () => {
  const { rig, one, mine } = await twoWindows();
  await using _ = rig;
  const [first] = mine();
  const layer = first?.layer ?? '';
  const listed = JSON.stringify(await asked(rig, layer, 'tools/list'));
  for (const name of ['all__echo', 'mine__echo']) expect(listed).toContain(`"${name}"`);
  const call = { name: 'mine__echo', arguments: { message: 'hello' } };
  expect(JSON.stringify(await asked(rig, layer, 'tools/call', call))).toContain('hello');
  const logs = { name: 'server_logs', arguments: { name: 'mine' } };
  expect(JSON.stringify(await asked(rig, layer, 'tools/call', logs))).toContain(`pid ${first?.pid}`);
  rig.mux.expose({ mode: 'search' });
  expect(rig.mux.listUnlistedTools({ layer })).toContain('mine__echo');
  expect(rig.mux.listUnlistedTools()).not.toContain('mine__echo');
  await one.session.close();
  await expect.poll(() => mine().length).toBe(1);
  const ended = { code: 'SERVER_NOT_FOUND', message: expect.stringContaining(layer) as string };
  await expect(asked(rig, layer, 'tools/list')).rejects.toMatchObject(ended);
});

it('a request without a connection reaches the run that a session has of a server with isolation: session', async () => {
  const { rig, mine } = await twoWindows();
  await using _ = rig;
  await rig.mux.addServer('own', { ...fixtureCommand('echo'), isolation: 'session' });
  const [window] = mine();
  const run = () =>
    rig.mux
      .listServers({ everywhere: true })
      .find(({ name, session }) => name === 'own' && session === window?.session);
  await expect.poll(() => run()?.status, { timeout: 10_000 }).toBe('running');
  const layer = run()?.layer ?? '';
  expect(layer).not.toBe(window?.layer);
  const listed = JSON.stringify(await asked(rig, layer, 'tools/list'));
  for (const name of ['mine__echo', 'own__echo']) expect(listed).toContain(`"${name}"`);
  const call = { name: 'own__echo', arguments: { message: 'hello' } };
  expect(JSON.stringify(await asked(rig, layer, 'tools/call', call))).toContain('hello');
});
