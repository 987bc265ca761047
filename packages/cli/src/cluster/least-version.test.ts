import { ClusterError, MemoryNetwork } from '@mcpmux/cluster';
import { describe, expect, it } from 'vitest';

import { requireMinVersion } from './least-version.js';

async function clusterThatNeeds(least: string | undefined) {
  const cluster = new MemoryNetwork().join();
  if (least !== undefined) await (await cluster.bucket('settings')).create('minVersion', Buffer.from(least));
  return cluster;
}

describe('a node that joins', () => {
  it.each([
    [undefined, '1.2.3'],
    ['1.2.3', '1.2.3'],
    ['1.2.3', '1.10.0'],
    ['1.2.3', '2.0.0-beta.1'],
    ['something that a later version means', '1.2.3'],
  ])('may join a cluster that needs %s with version %s', async (least, version) => {
    await expect(requireMinVersion(await clusterThatNeeds(least), version)).resolves.toBeUndefined();
  });

  it.each([
    ['1.2.3', '1.2.2'],
    ['1.10.0', '1.9.9'],
    ['2.0.0', '1.99.99'],
    ['2.0.0', '2.0.0-beta.1'],
  ])('is refused by a cluster that needs %s with version %s, and told why', async (least, version) => {
    const refused: unknown = await requireMinVersion(await clusterThatNeeds(least), version).catch(
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(ClusterError);
    expect(String(refused)).toContain(`needs mcpmux ${least} or newer, and this is ${version}`);
  });
});
