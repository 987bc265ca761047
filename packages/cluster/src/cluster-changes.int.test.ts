import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import type { MuxClient } from '@mcpmux/core/testing/mux-client';
import { textOf } from '@mcpmux/core/testing/mux-rig';
import { fixtureCommand, fixturePath } from '@mcpmux/test-servers';
import { importStatement } from '@mcpmux/testing/importing';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { describe, expect, it } from 'vitest';

import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';
import { MemoryNetwork, type MemoryCluster } from './memory-network.js';

interface Opened {
  readonly rig: ClusterRig;
  readonly joined: readonly MemoryCluster[];
}

async function nodes(...names: readonly string[]): Promise<Opened> {
  const network = new MemoryNetwork();
  const joined: MemoryCluster[] = [];
  const rig = await ClusterRig.open(() => {
    const cluster = network.join();
    joined.push(cluster);
    return Promise.resolve(cluster);
  });
  for (const name of names) await rig.node(name);
  return { rig, joined };
}

function pidOf({ mux }: RigNode, server: string): number | null | undefined {
  return mux.listServers().find(({ name }) => name === server)?.pid;
}

async function refusal(client: MuxClient, tool: string, args: object): Promise<string> {
  const { result } = await client.call(tool, args);
  expect(result).toMatchObject({ isError: true });
  return textOf(result);
}

/** A server under the name `e` whose program is a file that the test changes. */
async function changeable(rig: ClusterRig, folder: string): Promise<{ program: string; owner: RigNode }> {
  const program = join(folder, 'server.mjs');
  await writeProgram(program, 'echo');
  const [first] = rig.nodes;
  await first?.member.publish('e', { spec: { command: process.execPath, args: [program] } }, true);
  await Promise.all(rig.nodes.map(({ mux }) => untilRunning(mux, 'e')));
  return { program, owner: rig.ownerOf('e') };
}

function writeProgram(program: string, fixture: 'echo' | 'echo-v2'): Promise<void> {
  return writeFile(program, importStatement(fixturePath(fixture)));
}

describe('reload_server on a node that does not run the server', () => {
  it('starts the new program on the node that runs it, and returns the new tools', async () => {
    const { rig } = await nodes('a', 'b', 'c');
    await using _ = rig;
    await using folder = await temporaryFolder();
    const { program, owner } = await changeable(rig, folder.path);
    const before = pidOf(owner, 'e');
    const client = await rig.client(rig.otherThan(owner));
    await writeProgram(program, 'echo-v2');
    const { tools, changes } = await client.manage('reload_server', { name: 'e' });
    expect(tools).toMatchObject([{ name: 'e__echo' }, { name: 'e__slow_echo' }, { name: 'e__reverse' }]);
    expect(changes).toMatchObject({ added: ['reverse'] });
    expect(pidOf(owner, 'e')).not.toBe(before);
    for (const node of rig.nodes) {
      const each = await rig.client(node);
      await expect.poll(() => each.serverTools()).toContain('e__reverse');
      expect(textOf((await each.call('e__reverse', { message: 'abc' })).result)).toBe('cba');
    }
  });

  it('says on which node the server did not start and why, and starts it when its program is mended', async () => {
    const { rig } = await nodes('a', 'b');
    await using _ = rig;
    await using folder = await temporaryFolder();
    const { program, owner } = await changeable(rig, folder.path);
    const client = await rig.client(rig.otherThan(owner));
    await copyFile(program, `${program}.bak`);
    await rm(program);
    const text = await refusal(client, 'reload_server', { name: 'e' });
    expect(text).toContain(`Server "e" on node "${owner.name}" was not reloaded: `);
    expect(text).toContain('exited with code 1');
    await copyFile(`${program}.bak`, program);
    await client.manage('reload_server', { name: 'e' });
    expect(textOf((await client.call('e__echo', { message: 'back' })).result)).toBe('back');
  });

  it('ends with the reason when its node is gone', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo', { failover: 'never' });
    const client = await rig.client(rig.otherThan(owner));
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    const text = await refusal(client, 'reload_server', { name: 'echo' });
    expect(text).toMatch(/Server "echo"( on node ".")? was not reloaded: /);
  });

  it('is refused with the reason while this node has no connection, and its own servers reload', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo');
    const other = rig.otherThan(owner);
    const [near, there] = [await rig.client(owner), await rig.client(other)];
    joined[rig.nodes.indexOf(other)]?.connect(false);
    expect(await refusal(there, 'reload_server', { name: 'echo' })).toContain('connection');
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    await near.manage('reload_server', { name: 'echo' });
    expect(textOf((await near.call('echo__echo', { message: 'own' })).result)).toBe('own');
  });
});

describe('the exposure of a server', () => {
  it('is the same on every node, and changes with the entry of the server', async () => {
    const { rig } = await nodes('a', 'b');
    await using _ = rig;
    const { command, args } = fixtureCommand('echo');
    const [first] = rig.nodes;
    const publish = (exposure?: string): Promise<unknown> | undefined =>
      first?.member.publish('echo', { spec: { command, args, ...(exposure && { exposure }) } }, true);
    await publish('search');
    await Promise.all(rig.nodes.map(({ mux }) => untilRunning(mux, 'echo')));
    const clients = await Promise.all(rig.nodes.map((node) => rig.client(node)));
    for (const client of clients) {
      await expect(client.serverTools()).resolves.toEqual([]);
      expect(textOf((await client.call('echo__echo', { message: 'found' })).result)).toBe('found');
    }
    await publish();
    for (const client of clients)
      await expect.poll(() => client.serverTools()).toEqual(['echo__echo', 'echo__slow_echo']);
  });
});

describe('server_logs on a node that does not run the server', () => {
  it('shows the stderr of the server, and the events of this node when the other cannot be asked', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('stderr-talker', { failover: 'never' });
    const other = rig.otherThan(owner);
    const [near, remote] = [await rig.client(owner), await rig.client(other)];
    const args = { name: 'stderr-talker', lines: 5 };
    await remote.call('stderr-talker__talk', { lines: 3 });
    await expect
      .poll(async () => (await near.manage('server_logs', args))['entries'])
      .toContainEqual(expect.objectContaining({ kind: 'stderr', text: 'line 3' }));
    const { entries } = await near.manage('server_logs', args);
    const texts = (list: unknown): readonly string[] => (list as { text: string }[]).map(({ text }) => text);
    expect(texts((await remote.manage('server_logs', args))['entries'])).toEqual(texts(entries));
    joined[rig.nodes.indexOf(other)]?.connect(false);
    expect(texts((await remote.manage('server_logs', args))['entries'])).toContainEqual(
      expect.stringContaining('server'),
    );
  });
});

describe('remove_server in a cluster', () => {
  it.each(['the node that runs the server', 'another node'])(
    'removes it from all nodes, on %s',
    async (where) => {
      const { rig } = await nodes('a', 'b', 'c');
      await using _ = rig;
      const owner = await rig.server('echo');
      const node = where === 'another node' ? rig.otherThan(owner) : owner;
      const client = await rig.client(node);
      await expect(client.manage('remove_server', { name: 'echo' })).resolves.toMatchObject({
        removed: true,
      });
      for (const each of rig.nodes) {
        await expect.poll(() => each.mux.listServers()).toEqual([]);
        await expect.poll(() => each.member.node.directory.owners.size).toBe(0);
      }
    },
  );

  it('is done once when clients of all nodes ask for it at the same moment', async () => {
    const { rig } = await nodes('a', 'b', 'c');
    await using _ = rig;
    await rig.server('echo');
    const outcomes = await Promise.all(
      rig.nodes.map(async (node) => (await rig.client(node)).call('remove_server', { name: 'echo' })),
    );
    expect(outcomes.some(({ result }) => result?.['isError'] !== true)).toBe(true);
    for (const each of rig.nodes) await expect.poll(() => each.mux.listServers()).toEqual([]);
  });

  it('is refused with the reason while the node has no connection, and the server stays', async () => {
    const { rig, joined } = await nodes('a');
    await using _ = rig;
    const owner = await rig.server('echo');
    joined[0]?.connect(false);
    const client = await rig.client(owner);
    expect(await refusal(client, 'remove_server', { name: 'echo' })).toContain(
      'no connection to the cluster',
    );
    expect(textOf((await client.call('echo__echo', { message: 'still' })).result)).toBe('still');
  });
});
