import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import type { MissedEvents, MuxEvent } from '../index.js';
import { MuxClient } from '../testing/mux-client.js';
import { MuxRig } from '../testing/mux-rig.js';

it('tells the events of the life of a server in order, and ends the iterator when the mux is closed', async () => {
  await using rig = await MuxRig.open({}, {}, { limits: { listChangedDelayMs: 0 } });
  const events = rig.mux.events();
  await rig.add('e', 'no-tools');
  await rig.mux.removeServer('e');
  await rig.mux.close();
  const seen: (MuxEvent | MissedEvents)[] = [];
  for await (const event of events) if (event.type !== 'catalog:changed') seen.push(event);
  expect(seen).toMatchObject([
    { type: 'audit', server: 'e', action: 'add' },
    { type: 'server:added', server: 'e' },
    { type: 'server:state', server: 'e', status: 'starting' },
    { type: 'audit', server: 'e', action: 'spawn' },
    { type: 'server:state', server: 'e', status: 'running' },
    { type: 'audit', server: 'e', action: 'remove' },
    { type: 'server:removed', server: 'e' },
  ]);
});

it('calls a listener for its events until the listener is taken away', async () => {
  await using rig = await MuxRig.open();
  const lines: string[] = [];
  const off = rig.mux.on('server:stderr', ({ server, line }) => lines.push(`${server}: ${line}`));
  await rig.add('x', 'exit-on-start').catch(() => undefined);
  expect(lines).toEqual(['x: reading the configuration', 'x: fatal: the configuration has no "token"']);
  off();
  await rig.add('x', 'exit-on-start').catch(() => undefined);
  expect(lines).toHaveLength(2);
});

it('reports the lines of stdout that are no MCP messages', async () => {
  await using rig = await MuxRig.open();
  const lines: string[] = [];
  rig.mux.on('server:stdout', ({ server, line }) => lines.push(`${server}: ${line}`));
  await rig.add('x', 'garbage-stdout');
  expect(lines).toContain('x: Example Server v1.0 (press Ctrl-C to stop)');
});

it('tells the host when the lists have changed', async () => {
  await using rig = await MuxRig.open();
  const changed = new Promise((resolve) => rig.mux.on('catalog:changed', resolve));
  await rig.add('e', 'no-tools');
  await expect(changed).resolves.toEqual({});
});

it('forwards the list_changed of a server', async () => {
  await using rig = await MuxRig.open();
  await rig.add('c', 'changing-tools');
  await rig.client.listChanged(1);
  await rig.client.call('c__add_tool', { name: 'fresh' });
  await rig.listed('c', 'c__fresh');
  await rig.client.listChanged(2);
  await expect(rig.client.serverTools()).resolves.toEqual(['c__add_tool', 'c__fresh']);
});

it('leaves nothing behind after close, which may be called again', async () => {
  await using rig = await MuxRig.open();
  await Promise.all([rig.add('t', 'tree'), rig.add('p', 'paged')]);
  await rig.lifeline.waitForAlive(4);
  await Promise.all([rig.mux.close(), rig.mux.close()]);
  await rig.client.session.closed;
  await rig.allGone();
  await expect(rig.mux.close()).resolves.toBeUndefined();
  expect(rig.mux.listServers()).toEqual([]);
});

it('closes after starts that failed and while others are under way', async () => {
  await using rig = await MuxRig.open();
  await rig.add('failed', 'exit-on-start').catch(() => undefined);
  const starting = rig.add('starting', 'never-initialize').catch((error: unknown) => error);
  await rig.lifeline.waitForAlive(1);
  await rig.mux.close();
  await expect(starting).resolves.toMatchObject({ name: 'MuxError' });
  await rig.allGone();
});

it.each([
  ['none', 0],
  ['one', 1],
])('refuses servers, calls and clients after close, also when %s was called before', async (_, calls) => {
  await using rig = await MuxRig.open();
  for (let call = 0; call < calls; call += 1) await rig.mux.callTool('list_servers');
  await rig.mux.close();
  await expect(rig.mux.addServer('x', fixtureCommand('paged'))).rejects.toMatchObject({ code: 'CLOSED' });
  await expect(rig.mux.callTool('list_servers')).rejects.toMatchObject({ code: 'CLOSED' });
  await expect(new MuxClient(rig.mux).session.closed).resolves.toBeUndefined();
  expect(rig.lifeline.alive).toEqual([]);
});

it('answers calls that are in flight when the mux is closed', async () => {
  await using rig = await MuxRig.open();
  await rig.add('h', 'hold-calls');
  const held = rig.client.call('h__hold', { key: 'k' });
  const local = rig.mux.callTool('h__hold', { key: 'k' }).catch((error: unknown) => error);
  await rig.client.call('h__release', { key: 'other' });
  await rig.mux.close();
  expect(await held).toMatchObject({ id: expect.anything() });
  expect(await local).toBeDefined();
});
