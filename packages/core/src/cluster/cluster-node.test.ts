import { describe, expect, it } from 'vitest';

import { NodeRig, type NotedNode } from '../testing/node-rig.js';
import { MARGIN } from './lease.js';

describe('a node that is cut off', () => {
  it('ends its singletons in haste at the moment when its lease lapses', async () => {
    const rig = new NodeRig();
    const { host, cluster, node } = await rig.node('a');
    await rig.servers(['single'], { singleton: true });
    await rig.servers(['other']);
    await rig.pass(100);
    cluster.connect(false);
    const lapsesAt = rig.leaseMs * (1 - MARGIN);
    await rig.pass(lapsesAt - 100 - 1);
    expect([...host.here]).toEqual(['single', 'other']);
    await rig.pass(1);
    expect(host.hastened).toEqual([lapsesAt]);
    expect([...host.here]).toEqual(['other']);
    expect(node.places.get('single')?.kind).toBe('nowhere');
    await rig.pass(2 * rig.leaseMs);
    expect(host.hastened).toHaveLength(1);
  });

  it('and leaves meanwhile ends its servers in haste when its lease lapses before they are gone', async () => {
    const rig = new NodeRig();
    const { host, cluster, node } = await rig.node('a');
    await rig.servers(['single'], { singleton: true });
    host.ending = new Promise((resolve) => {
      host.hasten = () => resolve();
    });
    cluster.connect(false);
    const closed = node.close();
    await rig.pass(rig.leaseMs * (1 - MARGIN));
    await expect(closed).resolves.toBeUndefined();
    expect(rig.clock.timers).toBe(0);
  });
});

describe('nodes that are connected while nothing can be written', () => {
  it('count nobody out, and each has its servers afterwards, whoever is back first', async () => {
    const rig = new NodeRig();
    const nodes: NotedNode[] = [];
    for (const name of ['a', 'b', 'c']) {
      nodes.push(await rig.node(name));
      await rig.pass(rig.leaseMs / 12);
    }
    await rig.servers(Array.from({ length: 30 }, (_, index) => `s${index}`));
    await rig.pass(rig.leaseMs);
    const spread = (): (readonly string[])[] => nodes.map(({ host }) => [...host.here].toSorted());
    const before = spread();
    expect(before.map(({ length }) => length > 0)).toEqual([true, true, true]);
    for (const outage of [0.6, 0.78, 0.9, 2, 5]) {
      rig.hasNoMajority = true;
      await rig.pass(outage * rig.leaseMs);
      const kinds = nodes.flatMap(({ node }) => [...node.places.values()].map(({ kind }) => kind));
      expect(kinds.filter((kind) => kind === 'there')).toHaveLength(60);
      rig.hasNoMajority = false;
      await rig.pass(2 * rig.leaseMs);
      expect(spread()).toEqual(before);
    }
  });
});

describe('a node that leaves', () => {
  it('renews its lease until nothing of its servers runs', async () => {
    const rig = new NodeRig();
    const [a, b] = [await rig.node('a'), await rig.node('b')];
    await rig.servers(['one', 'two', 'three']);
    await rig.pass(rig.leaseMs);
    const own = [...a.host.here];
    expect(own).not.toEqual([]);
    let end: () => void = () => undefined;
    a.host.ending = new Promise((resolve) => (end = resolve));
    const closed = a.node.close();
    await rig.pass(2 * rig.leaseMs);
    expect(b.host.here.size).toBe(3 - own.length);
    end();
    await closed;
    await rig.pass(rig.leaseMs / 2);
    expect(b.host.here.size).toBe(3);
    await b.node.close();
  });
});
