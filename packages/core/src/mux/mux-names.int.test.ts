import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { MuxRig, textOf } from '../testing/mux-rig.js';

/** A server whose tools, beside `add_tool`, have these names. */
async function addWithTools(rig: MuxRig, server: string, names: readonly string[]): Promise<void> {
  await rig.add(server, 'changing-tools');
  for (const name of names) {
    await rig.mux.callTool(`${server}__add_tool`, { name });
    await rig.listed(server, `${server}__${name}`);
  }
}

it('M6: a qualified name is split at the first __, so tools may hold more of them', async () => {
  await using rig = await MuxRig.open();
  await addWithTools(rig, 'a', ['b__c', '__d']);
  await expect(rig.client.serverTools()).resolves.toEqual(['a__add_tool', 'a__b__c', 'a____d']);
  const answers = await Promise.all([rig.client.call('a__b__c'), rig.client.call('a____d')]);
  expect(answers.map(({ result }) => textOf(result))).toEqual(['b__c', '__d']);
});

it('M6: a tool of a server that is called like a management tool does not override it', async () => {
  await using rig = await MuxRig.open();
  await addWithTools(rig, 'a', ['list_servers']);
  await expect(rig.client.manage('list_servers')).resolves.toMatchObject({ servers: [{ name: 'a' }] });
  const { result } = await rig.client.call('a__list_servers');
  expect(textOf(result)).toBe('list_servers');
});

it('M6: the name of a server may be in any script', async () => {
  await using rig = await MuxRig.open();
  const { tools } = await rig.add('日本語', 'paged');
  expect(tools).toHaveLength(3);
  expect(rig.status('日本語').tools).toEqual(tools);
  await expect(rig.client.call('日本語__first')).resolves.not.toHaveProperty('error');
  for (const name of tools) await expect(rig.client.call(name)).resolves.not.toHaveProperty('error');
});

it('M6, D16: servers with tools of the same names are called apart', async () => {
  await using rig = await MuxRig.open();
  await Promise.all(['one', 'two'].map((name) => rig.mux.addServer(name, whoami(name))));
  const answers = await Promise.all(['one', 'two'].map((name) => rig.mux.callTool(`${name}__env`)));
  const names = answers.map((answer) => (JSON.parse(textOf(answer)) as { env: { WHO: string } }).env.WHO);
  expect(names).toEqual(['one', 'two']);
});

it('M6: a bare name is routed while one server owns it, and refused with the candidates when two do', async () => {
  await using rig = await MuxRig.open();
  await rig.add('one', 'env-dump');
  await expect(rig.client.call('env')).resolves.not.toHaveProperty('error');
  await rig.add('two', 'env-dump');
  const { error } = await rig.client.call('env');
  expect(error).toMatchObject({ code: -32602 });
  expect(error?.message).toContain('one__env');
  expect(error?.message).toContain('two__env');
});

it('M5: an unknown tool is a protocol error that names it', async () => {
  await using rig = await MuxRig.open();
  await rig.add('one', 'env-dump');
  for (const name of ['one__nothing', 'nobody__env', 'nothing']) {
    const { error } = await rig.client.call(name);
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain(name);
  }
});

function whoami(name: string): ReturnType<typeof fixtureCommand> & { env: Record<string, string> } {
  return { ...fixtureCommand('env-dump'), env: { WHO: name } };
}
