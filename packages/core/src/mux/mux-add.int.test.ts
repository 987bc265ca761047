import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

it('M1: starts a server, lists all its pages and exposes its tools with its name in front', async () => {
  await using rig = await MuxRig.open();
  const { client } = rig;
  const added = await client.manage('add_server', { name: 'book', ...fixtureCommand('paged') });
  const names = ['book__first', 'book__second', 'book__third'];
  expect(added).toMatchObject({ name: 'book', status: 'running', tools: names.map((name) => ({ name })) });
  await client.listChanged(1);
  await expect(client.serverTools()).resolves.toEqual(names);
  await rig.lifeline.waitForAlive(1);
});

it('M1: returns the definitions of the tools as tools/list has them', async () => {
  await using rig = await MuxRig.open();
  const { tools } = await rig.client.manage('add_server', { name: 'e', ...fixtureCommand('echo') });
  const listed = await rig.client.tools();
  expect(tools).toEqual(listed.filter(({ name }) => String(name).startsWith('e__')));
  expect(tools).toHaveLength(2);
});

it('M1: carries the structured content as text too', async () => {
  await using rig = await MuxRig.open();
  const { result } = await rig.client.call('add_server', { name: 'e', ...fixtureCommand('paged') });
  expect(JSON.parse(textOf(result))).toEqual(result?.['structuredContent']);
});

it('M1: succeeds for a server without tools, which list_servers shows', async () => {
  await using rig = await MuxRig.open();
  await expect(
    rig.client.manage('add_server', { name: 'bare', ...fixtureCommand('no-tools') }),
  ).resolves.toMatchObject({ status: 'running', tools: [] });
  await expect(rig.client.manage('list_servers')).resolves.toMatchObject({
    servers: [{ name: 'bare', status: 'running', tools: [] }],
  });
});

it('M1: merges env into the environment and starts in cwd', async () => {
  await using rig = await MuxRig.open({}, { INHERITED: 'yes', REPLACED: 'no' });
  const { client } = rig;
  const env = { REPLACED: 'by env', NEW: 'one' };
  await client.manage('add_server', { name: 'e', ...fixtureCommand('env-dump'), env, cwd: '/' });
  const { result } = await client.call('e__env');
  expect(JSON.parse(textOf(result))).toMatchObject({ env: { INHERITED: 'yes', ...env }, cwd: '/' });
});

it('M1: fails when the program does not exist, and registers nothing', async () => {
  await using rig = await MuxRig.open();
  const { result } = await rig.client.call('add_server', { name: 'x', command: 'no-such-program-here' });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain('no-such-program-here');
  expect(rig.mux.listServers()).toEqual([]);
});

it.each([
  ['exit-on-start', 'exited with code 3'],
  ['exit-in-handshake', 'exited with code 7'],
  ['bad-initialize', 'protocolVersion'],
] as const)(
  'M1, fault A5: fails for a handshake with %s, says why, and leaves nothing behind',
  async (name, why) => {
    await using rig = await MuxRig.open();
    const { result } = await rig.client.call('add_server', { name: 'x', ...fixtureCommand(name) });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('"x"');
    expect(textOf(result)).toContain(why);
    expect(rig.mux.listServers()).toEqual([]);
    await rig.allGone();
  },
);

it('M1: refuses a name that is taken, however it is written', async () => {
  await using rig = await MuxRig.open();
  await rig.add('git', 'paged');
  const pid = rig.pid('git');
  for (const name of ['git', 'GIT']) {
    const { result } = await rig.client.call('add_server', { name, ...fixtureCommand('echo') });
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain('git');
  }
  expect(rig.mux.listServers()).toMatchObject([{ name: 'git', pid, tools: { length: 3 } }]);
});

it('M6: refuses names that could not be split from their tools', async () => {
  await using rig = await MuxRig.open();
  for (const name of ['', 'a__b', 'a_']) {
    const { result } = await rig.client.call('add_server', { name, ...fixtureCommand('echo') });
    expect(result).toMatchObject({ isError: true });
  }
  expect(rig.mux.listServers()).toEqual([]);
});
