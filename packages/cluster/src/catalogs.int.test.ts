import type { Mux } from '@mcpmux/core';
import { textOf } from '@mcpmux/core/testing/mux-rig';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

import { ClusterRig, untilRunning } from './testing/cluster-rig.js';
import { CATALOG_BUCKET } from './catalogs.js';
import type { Cluster } from './cluster.js';
import { MemoryNetwork } from './memory-network.js';

const SOON = { timeout: 10_000 };

/** @param join opens a connection of one node; a plain one when absent */
async function rigs(
  join = (network: MemoryNetwork): Cluster => network.join(),
): Promise<{ rig: ClusterRig; stored: () => Promise<string> }> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(join(network)));
  const bucket = await network.join().bucket(CATALOG_BUCKET);
  const stored = async (): Promise<string> => Buffer.from((await bucket.get('echo'))?.value ?? []).toString();
  return { rig, stored };
}

it('a node that joins lists the tools of a server that waits for its node, and says why a call fails', async () => {
  const { rig, stored } = await rigs();
  await using _ = rig;
  const owner = await rig.node('a');
  await rig.server('echo', { host: 'a' });
  await expect.poll(stored, SOON).toContain('"tools"');
  await owner.member.close();
  let listed: readonly string[] = [];
  const onMux = (mux: Mux): void => {
    mux.on('server:added', () => (listed = mux.listServers()[0]?.tools ?? []));
  };
  const late = await rig.node('late', { onMux });
  expect(listed).toContain('echo__echo');
  const client = await rig.client(late);
  const { result } = await client.call('echo__echo', { message: 'm' });
  expect(textOf(result)).toContain('no node named a is there');
});

it('a link to a server whose lists the node is still reading waits for its start', async () => {
  const slow = new SlowCatalogs();
  const { rig } = await rigs((network) =>
    rig.nodes.length === 1 ? slow.around(network.join()) : network.join(),
  );
  await using _ = rig;
  const front = await rig.node('front');
  const { command, args } = fixtureCommand('echo');
  await front.member.publish('echo', { spec: { command, args }, host: 'late' }, true);
  const joined = rig.node('late');
  const place = (): string | undefined => front.member.node.places.get('echo')?.kind;
  await expect.poll(place).toBe('there');
  await expect.poll(() => front.member.links.size).toBe(1);
  slow.answer();
  await joined;
  await untilRunning(front.mux, 'echo');
  const client = await rig.client(front);
  await expect(client.serverTools()).resolves.toContain('echo__echo');
});

it('the lists of a server are forgotten with the server', async () => {
  const { rig, stored } = await rigs();
  await using _ = rig;
  const owner = await rig.node('a');
  await rig.server('echo');
  await expect.poll(stored, SOON).toContain('"tools"');
  await owner.member.unpublish('echo');
  await expect.poll(stored).toBe('');
});

/** A connection whose catalogs answer late. */
class SlowCatalogs {
  answer: () => void = () => undefined;
  private readonly answered = new Promise<void>((resolve) => (this.answer = resolve));

  around(cluster: Cluster): Cluster {
    const open = cluster.bucket.bind(cluster);
    cluster.bucket = async (name, options) => {
      const bucket = await open(name, options);
      if (name !== CATALOG_BUCKET) return bucket;
      return { ...bucket, get: (key) => this.answered.then(() => bucket.get(key)) };
    };
    return cluster;
  }
}
