import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig } from '@mcpmux/config';
import { createMux, nullLogger, type Logger } from '@mcpmux/core';
import { ClusterError, ClusterMember, MemoryNetwork, type Cluster } from '@mcpmux/cluster';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it, vi } from 'vitest';

import { PublishedServers } from './published-servers.js';

const context = { environment: {}, home: '/home/ann', cwd: '/work' };
const GONE = 'This node has no connection to the cluster.';

/** The servers of a config that a test writes, and a cluster that may be out of reach. */
async function publishing() {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  const cluster = new Set<string>();
  let failure: ClusterError | undefined;
  const change = async (edit: () => unknown): Promise<void> => {
    if (failure !== undefined) throw failure;
    edit();
    return Promise.resolve();
  };
  const publish = vi.fn<ClusterMember['publish']>(async (server) => {
    await change(() => cluster.add(server));
    return true;
  });
  const unpublish = vi.fn<ClusterMember['unpublish']>((server) => change(() => cluster.delete(server)));
  const logger = { enabled: () => true, log: vi.fn<Logger['log']>() };
  const servers = new PublishedServers({ publish, unpublish }, logger, file);
  const location = { file, origin: 'user', folder: folder.path } as const;
  return {
    cluster,
    publish,
    servers,
    fail: (error: ClusterError | undefined) => void (failure = error),
    /** Applies a config with servers of these names, or one of them. */
    apply: (names: readonly string[], only?: string): Promise<readonly string[]> => {
      const entries = Object.fromEntries(names.map((name) => [name, { command: 'x' }]));
      writeFileSync(file, JSON.stringify({ mcpServers: entries }));
      servers.publish(loadConfig(location, context).servers, only);
      return servers.problemsOfLastChange();
    },
    read: () => servers.localServers(loadConfig(location, context).servers),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

it('a server that was removed from the config while the cluster was out of reach is removed the next time', async () => {
  await using own = await publishing();
  expect(await own.apply(['a', 'b', 'c'])).toEqual([]);
  own.fail(new ClusterError('UNAVAILABLE', GONE));
  const problem = `the cluster does not have what the config says of a, b, c: ${GONE}`;
  expect(await own.apply(['a'])).toEqual([problem]);
  // Nobody waits for each of many servers.
  expect(own.publish).toHaveBeenCalledTimes(4);
  own.fail(undefined);
  expect(await own.apply(['a'])).toEqual([]);
  expect([...own.cluster]).toEqual(['a']);
});

/** A node with a config of its own for the server `a`. */
async function nodeOf(cluster: Cluster, id: string, folder: string) {
  const mux = createMux();
  const member = new ClusterMember({
    cluster,
    mux,
    id,
    name: id,
    labels: [],
    capacity: 1,
    version: '1',
    runnable: () => ({ config: { problem: 'a stand-in' } }),
  });
  await member.start();
  const file = join(folder, `${id}.json`);
  const servers = new PublishedServers(member, nullLogger, file);
  const location = { file, origin: 'user', folder } as const;
  return {
    id,
    apply: (command: string): Promise<readonly string[]> => {
      writeFileSync(file, JSON.stringify({ mcpServers: { a: { command } } }));
      servers.publish(loadConfig(location, context).servers);
      return servers.problemsOfLastChange();
    },
    known: () => JSON.stringify(member.node.directory.servers.get('a')?.record.spec),
    [Symbol.asyncDispose]: async () => {
      await member.close();
      await mux.close();
    },
  };
}

it('K8: of two nodes that change one server at the same moment, one does, and the other names the server', async () => {
  await using folder = await temporaryFolder();
  const network = new MemoryNetwork();
  await using one = await nodeOf(network.join(), 'one', folder.path);
  await using other = await nodeOf(network.join(), 'other', folder.path);
  for (const node of [one, other]) await node.apply('before');
  const [first, second] = await Promise.all([one.apply('of-one'), other.apply('of-other')]);
  expect([...first, ...second]).toEqual([expect.stringContaining('the config says of a: ')]);
  const winner = first.length === 0 ? 'of-one' : 'of-other';
  for (const node of [one, other]) await expect.poll(node.known).toContain(winner);
});

it('K8: a conflict of one server leaves the others: the reason names it alone', async () => {
  await using own = await publishing();
  await own.apply(['a', 'b']);
  own.publish.mockRejectedValueOnce(new ClusterError('CONFLICT', 'Another node was faster.'));
  const problem = 'the cluster does not have what the config says of a: Another node was faster.';
  expect(await own.apply(['a', 'b', 'c'])).toEqual([problem]);
  expect([...own.cluster]).toEqual(['a', 'b', 'c']);
});

it('a read of the config changes no server of the cluster, and one server that is added changes no other', async () => {
  await using own = await publishing();
  await own.apply(['a', 'b']);
  expect(own.read()).toEqual([]);
  await own.apply(['b', 'late', 'later'], 'late');
  expect(own.publish.mock.calls.map(([server]) => server)).toEqual(['a', 'b', 'late']);
  expect([...own.cluster]).toEqual(['a', 'b', 'late']);
  expect(await own.apply(['b'])).toEqual([]);
  expect([...own.cluster]).toEqual(['b']);
});
