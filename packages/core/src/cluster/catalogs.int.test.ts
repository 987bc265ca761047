import { expect, it } from 'vitest';

import { ClusterRig } from '../testing/cluster-rig.js';
import { textOf } from '../testing/mux-rig.js';
import { CATALOG_BUCKET } from './catalogs.js';
import { MemoryNetwork } from './memory-network.js';

const SOON = { timeout: 10_000 };

async function rigs(): Promise<{ rig: ClusterRig; stored: () => Promise<string> }> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(network.join()));
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
  const late = await rig.node('late');
  const client = await rig.client(late);
  const names = async (): Promise<unknown[]> => (await client.tools()).map(({ name }) => name);
  await expect.poll(names, SOON).toContain('echo__echo');
  const { result } = await client.call('echo__echo', { message: 'm' });
  expect(textOf(result)).toContain('no node named a is there');
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
