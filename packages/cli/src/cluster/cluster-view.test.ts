import { createMux } from '@mcpmux/core';
import { ClusterMember, MemoryNetwork, type PlacementRules } from '@mcpmux/cluster';
import { expect, it } from 'vitest';

import { clusterView } from './cluster-view.js';

const PLACES: readonly (readonly [string, PlacementRules, string | undefined])[] = [
  ['any', {}, undefined],
  ['labelled', { labels: ['gpu', 'x64'] }, 'labels gpu, x64'],
  ['pinned', { host: 'b', failover: 'never', singleton: true }, 'node b; failover never; singleton'],
];

it('a node that has not joined yet shows no cluster, and refuses a drain', async () => {
  const view = clusterView(
    'a-1',
    () => true,
    () => undefined,
  );
  expect(view.read()).toEqual({ self: 'a-1', isConnected: true, nodes: [], servers: [] });
  await expect(view.drain('a-1')).rejects.toThrow('not joined');
});

it('a node shows its servers with the rules for their nodes, itself, and its connection', async () => {
  const cluster = new MemoryNetwork().join();
  await using mux = { made: createMux(), [Symbol.asyncDispose]: () => mux.made.close() };
  const member = new ClusterMember({
    cluster,
    mux: mux.made,
    id: 'a-1',
    name: 'a',
    labels: [],
    capacity: 7,
    version: '1',
    runnable: () => ({ config: { problem: 'a stand-in' } }),
  });
  await using _ = { [Symbol.asyncDispose]: () => member.close() };
  await member.start();
  for (const [name, rules] of PLACES) await member.publish(name, { spec: {}, ...rules }, false);
  const isConnected = (): boolean => cluster.isConnected;
  const view = clusterView('a-1', isConnected, () => member);
  await expect.poll(() => view.read().servers.filter(({ node }) => node === 'a')).toHaveLength(1);
  const { servers, nodes } = view.read();
  expect(servers.map(({ name, placement }) => [name, placement])).toEqual(
    PLACES.map(([name, , placement]) => [name, placement]),
  );
  expect(servers.map(({ reason }) => reason !== undefined)).toEqual([false, true, true]);
  expect(nodes).toMatchObject([{ id: 'a-1', name: 'a', servers: 1, capacity: 7, status: 'running' }]);
  await view.drain('a-1');
  await expect.poll(() => view.read().nodes[0]?.status).toBe('drained');
  cluster.connect(false);
  expect(view.read().isConnected).toBe(false);
});
