import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';

import { fixturePath } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { systemClock, type Clock } from '../index.js';
import { MuxRig, textOf } from '../testing/mux-rig.js';
import { importStatement } from '@mcpmux/testing/importing';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';

const LIST_CHANGED = 'notifications/tools/list_changed';

it('M3: discovers the tools of a new build with one list_changed, and keeps the configuration', async () => {
  await using folder = await temporaryFolder();
  await using rig = await MuxRig.open();
  const program = join(folder.path, 'server.mjs');
  await writeFile(program, importStatement(fixturePath('echo')));
  const config = { command: process.execPath, args: [program], env: { KEPT: 'yes' }, cwd: folder.path };
  await rig.mux.addServer('e', config);
  await rig.client.listChanged(1);
  const before = rig.status('e');
  await writeFile(program, importStatement(fixturePath('echo-v2')));
  const { tools } = await rig.client.manage('reload_server', { name: 'e' });
  expect(tools).toMatchObject([{ name: 'e__echo' }, { name: 'e__slow_echo' }, { name: 'e__reverse' }]);
  await rig.client.listChanged(2);
  const { result } = await rig.client.call('e__reverse', { message: 'abc' });
  expect(textOf(result)).toBe('cba');
  expect(rig.client.count(LIST_CHANGED)).toBe(2);
  const { pid, ...after } = rig.status('e');
  expect(after).toMatchObject({ command: before.command, args: before.args, status: 'running', restarts: 1 });
  expect(pid).not.toBe(before.pid);
});

it('M3: passes env and cwd to the new process too', async () => {
  await using rig = await MuxRig.open();
  const config = {
    command: process.execPath,
    args: [fixturePath('env-dump')],
    env: { KEPT: 'yes' },
    cwd: resolve('/'),
  };
  await rig.mux.addServer('e', config);
  await rig.mux.reloadServer('e');
  const result = await rig.mux.callTool('e__env');
  expect(JSON.parse(textOf(result))).toMatchObject({ cwd: resolve('/'), env: { KEPT: 'yes' } });
});

it('M3: changes within the delay become one list_changed', async () => {
  // longer than any test; the test says when it is over
  const listChangedDelayMs = 1e6;
  const delays: (() => void)[] = [];
  const clock: Clock = {
    now: () => systemClock.now(),
    schedule(callback, delayMs) {
      if (delayMs === listChangedDelayMs) delays.push(callback);
      return systemClock.schedule(callback, delayMs);
    },
  };
  await using rig = await MuxRig.open({}, {}, { clock, limits: { listChangedDelayMs } });
  await Promise.all([rig.add('a', 'no-tools'), rig.add('b', 'paged')]);
  await Promise.all([rig.mux.reloadServer('b'), rig.mux.removeServer('a')]);
  expect(rig.client.count(LIST_CHANGED)).toBe(0);
  for (const end of delays) end();
  await rig.client.listChanged(1);
  await expect(rig.client.serverTools()).resolves.toEqual(['b__first', 'b__second', 'b__third']);
  expect(rig.client.count(LIST_CHANGED)).toBe(1);
  expect(delays).toHaveLength(1);
});

it('M3: a reload keeps the place of the server in the lists', async () => {
  await using rig = await MuxRig.open();
  await rig.add('a', 'paged');
  await rig.add('b', 'echo');
  await rig.mux.reloadServer('a');
  expect(rig.mux.listServers().map(({ name }) => name)).toEqual(['a', 'b']);
  await expect(rig.client.serverTools()).resolves.toEqual([
    'a__first',
    'a__second',
    'a__third',
    'b__echo',
    'b__slow_echo',
  ]);
});

it('M3: a server whose new build does not start stays registered as crashed, and a later reload brings it back', async () => {
  await using folder = await temporaryFolder();
  await using rig = await MuxRig.open();
  const program = join(folder.path, 'server.mjs');
  await writeFile(program, importStatement(fixturePath('paged')));
  await rig.mux.addServer('p', { command: process.execPath, args: [program] });
  await copyFile(fixturePath('exit-on-start'), program);
  const { result } = await rig.client.call('reload_server', { name: 'p' });
  expect(result).toMatchObject({ isError: true });
  expect(rig.status('p')).toMatchObject({ status: 'crashed', tools: [] });
  await writeFile(program, importStatement(fixturePath('paged')));
  await expect(rig.client.manage('reload_server', { name: 'p' })).resolves.toMatchObject({
    status: 'running',
  });
});
