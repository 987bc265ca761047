import { DualClient, getsAll } from '@mcpmux/core/testing/dual-client';
import { dualProgram } from '@mcpmux/core/testing/dual-program';
import { describe, expect, it } from 'vitest';

import { newCluster } from './testing/cluster-network.js';
import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';

const SERVER = 'v';

/** A server of both eras in a cluster of two nodes: a node that does not run it, and the one that does. */
async function dualServer(
  rig: ClusterRig,
  settings: object = {},
): Promise<readonly [other: RigNode, owner: RigNode]> {
  const first = await rig.node('a');
  await rig.node('b');
  await first.member.publish(SERVER, { spec: { ...(await dualProgram()), ...settings } }, true);
  await Promise.all(rig.nodes.map(({ mux }) => untilRunning(mux, SERVER)));
  const owner = rig.ownerOf(SERVER);
  return [rig.otherThan(owner), owner];
}

describe('a server of both eras on another node gives what it gives alone', () => {
  it.each(['legacy', 'modern'] as const)('to a %s client', async (era) => {
    await using rig = await ClusterRig.open(await newCluster());
    const [{ mux }] = await dualServer(rig);
    await getsAll(await DualClient.open(mux, era));
    expect(mux.listServers()).toMatchObject([{ name: SERVER, status: 'running' }]);
  });

  it.each([
    ['legacy', 'modern'],
    ['modern', 'legacy'],
  ] as const)('to a %s client, and then to a %s one as well', async (first, second) => {
    await using rig = await ClusterRig.open(await newCluster());
    const [other, owner] = await dualServer(rig);
    const one = await DualClient.open(other.mux, first);
    await getsAll(one);
    const two = await DualClient.open(other.mux, second);
    await getsAll(two);
    await getsAll(one);
    const atOwner = await DualClient.open(owner.mux, 'legacy');
    await getsAll(atOwner);
    const { legacy, modern } =
      first === 'legacy' ? { legacy: one, modern: two } : { legacy: two, modern: one };
    expect(await legacy.call('era')).toBe('legacy');
    await modern.call('era');
    expect(owner.mux.listServers()).toMatchObject([{ name: SERVER, status: 'running' }]);
  });

  it.each(['legacy', 'modern'] as const)(
    'to a %s client, also if its entry names the legacy era',
    async (era) => {
      await using rig = await ClusterRig.open(await newCluster());
      const [{ mux }] = await dualServer(rig, { protocol: 'legacy' });
      expect(await (await DualClient.open(mux, era)).call('ask')).toMatch(/"so"/);
    },
  );
});
