import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

it('M2: removes only the tools of that server, and says so', async () => {
  await using rig = await MuxRig.open();
  await Promise.all([rig.add('a', 'echo'), rig.add('b', 'echo')]);
  await rig.client.listChanged(1);
  const seen = rig.client.count('notifications/tools/list_changed');
  await expect(rig.client.manage('remove_server', { name: 'a' })).resolves.toEqual({
    name: 'a',
    removed: true,
  });
  await rig.client.listChanged(seen + 1);
  await expect(rig.client.serverTools()).resolves.toEqual(['b__echo', 'b__slow_echo']);
  await expect(rig.client.manage('list_servers')).resolves.toMatchObject({ servers: [{ name: 'b' }] });
});

it('M2: a removed server has left the list before its processes have ended', async () => {
  await using rig = await MuxRig.open();
  await rig.add('slow', 'ignore-eof');
  await rig.lifeline.waitForAlive(1);
  const removed = rig.mux.removeServer('slow');
  expect(rig.mux.listServers()).toEqual([]);
  await expect(rig.client.serverTools()).resolves.toEqual([]);
  expect(rig.lifeline.alive).toHaveLength(1);
  await removed;
  await rig.allGone();
});

it('M2: a removal ends the whole process tree', async () => {
  await using rig = await MuxRig.open();
  await rig.add('t', 'tree');
  await rig.lifeline.waitForAlive(3);
  await rig.client.manage('remove_server', { name: 't' });
  await expect(rig.allGone()).resolves.toBeUndefined();
});

it('M2, D23: a call after the removal is an error that names the server', async () => {
  await using rig = await MuxRig.open();
  await rig.add('a', 'echo');
  await rig.client.manage('remove_server', { name: 'a' });
  const { error } = await rig.client.call('a__echo', { message: 'x' });
  expect(error).toMatchObject({ code: -32602 });
  expect(error?.message).toContain('"a"');
});

it.each(['remove_server', 'reload_server'])('M2, M3: %s of an unknown name is an error', async (tool) => {
  await using rig = await MuxRig.open();
  await rig.add('known', 'no-tools');
  const { result } = await rig.client.call(tool, { name: 'unknown' });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('"unknown"');
});

it('M2: a name can be given again at once', async () => {
  await using rig = await MuxRig.open();
  await rig.add('a', 'echo');
  const removed = rig.client.manage('remove_server', { name: 'a' });
  const added = rig.client.manage('add_server', { name: 'a', ...fixtureCommand('paged') });
  await Promise.all([removed, added]);
  await expect(rig.client.serverTools()).resolves.toEqual(['a__first', 'a__second', 'a__third']);
});

it('M9: a server is added and another removed while calls are in flight at a third', async () => {
  await using rig = await MuxRig.open();
  await Promise.all([rig.add('held', 'hold-calls'), rig.add('old', 'paged')]);
  const calls = ['k1', 'k2', 'k3'].map((key) => rig.client.call('held__hold', { key }));
  await Promise.all([rig.add('new', 'paged'), rig.mux.removeServer('old'), rig.mux.reloadServer('new')]);
  for (const key of ['k1', 'k2', 'k3']) await rig.client.call('held__release', { key });
  const texts = (await Promise.all(calls)).map(({ result }) => textOf(result));
  expect(texts).toEqual(['released k1', 'released k2', 'released k3']);
});

it('M9, E3: ten calls that sleep while their server is removed complete or fail cleanly', async () => {
  await using rig = await MuxRig.open();
  await rig.add('e', 'echo');
  const calls = Array.from({ length: 10 }, (_, index) =>
    rig.client.call('e__slow_echo', { message: `m${index}`, delay_ms: 100 }),
  );
  const removed = rig.client.call('remove_server', { name: 'e' });
  const responses = await Promise.all(calls);
  responses.forEach(({ result }, index) => {
    const isFailure = result?.['isError'] === true;
    expect(textOf(result)).toMatch(isFailure ? /"e"/ : new RegExp(`^m${index}$`));
  });
  await expect(removed).resolves.toMatchObject({ result: { structuredContent: { removed: true } } });
  await rig.allGone();
});

it('M9, E3: ten calls that do not end fail with the name of their server when it is removed', async () => {
  await using rig = await MuxRig.open({ limits: { drainMs: 20 } });
  await rig.add('h', 'hold-calls');
  const calls = Array.from({ length: 10 }, (_, index) => rig.client.call('h__hold', { key: `k${index}` }));
  await rig.client.call('remove_server', { name: 'h' });
  for (const { result } of await Promise.all(calls)) {
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('"h"');
  }
});
