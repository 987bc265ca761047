import { isSettled } from '@mcpmux/testing/is-settled';
import { describe, expect, it } from 'vitest';

import { NodeRig, type NotedNode } from './testing/node-rig.js';
import { MARGIN_FRACTION } from './lease.js';
import { encodeRecord, keyOf } from './records.js';

describe('a node that joins', () => {
  it('has told its host of every server when its start is over', async () => {
    const rig = new NodeRig();
    await rig.node('a');
    await rig.servers(['one', 'two']);
    let place: () => void = () => undefined;
    rig.placing = new Promise((resolve) => (place = resolve));
    const joined = rig.node('b');
    await rig.pass(1000);
    expect(await isSettled(joined)).toBe(false);
    place();
    expect([...(await joined).node.places.keys()]).toEqual(['one', 'two']);
  });
});

describe('a node that is closed while it joins', () => {
  it('is no node of the cluster, although the buckets open later', async () => {
    const rig = new NodeRig();
    const { node, cluster } = rig.make('a');
    const open = cluster.bucket.bind(cluster);
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    cluster.bucket = async (...named) => {
      await answered;
      return open(...named);
    };
    const started = node.start();
    await node.close();
    answer();
    await expect(started).rejects.toMatchObject({ code: 'CLOSED' });
    expect(rig.clock.timerCount).toBe(0);
  });

  it('is no node of the cluster, although the cluster takes its sign of life later', async () => {
    const rig = new NodeRig();
    const { node } = rig.make('a');
    rig.hasNoMajority = true;
    const started = node.start();
    await rig.pass(1000);
    await node.close();
    rig.hasNoMajority = false;
    const [settled] = await Promise.all([Promise.allSettled([started]), rig.pass(rig.leaseMs)]);
    expect(settled).toMatchObject([{ status: 'rejected', reason: { code: 'CLOSED' } }]);
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('a node that is cut off', () => {
  it('ends its singletons in haste at the moment when its lease lapses', async () => {
    const rig = new NodeRig();
    const { host, cluster, node } = await rig.node('a');
    await rig.servers(['single'], { singleton: true });
    await rig.servers(['other']);
    await rig.pass(100);
    cluster.connect(false);
    const lapsesAt = rig.leaseMs * (1 - MARGIN_FRACTION);
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
    await rig.pass(rig.leaseMs * (1 - MARGIN_FRACTION));
    await expect(closed).resolves.toBeUndefined();
    expect(rig.clock.timerCount).toBe(0);
  });
});

describe('a node whose cluster never answers', () => {
  it('leaves within three seconds after the end of its servers', async () => {
    const rig = new NodeRig();
    const { host, node } = await rig.node('a');
    await rig.servers(['one', 'two']);
    await rig.pass(100);
    rig.isHanging = true;
    // The claim of this server stays on its way.
    await rig.servers(['three']);
    const closed = node.close();
    await rig.pass(3000);
    expect(await isSettled(closed)).toBe(true);
    expect([...host.here]).toEqual([]);
    expect(rig.clock.timerCount).toBe(0);
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

describe('the capacity of a node', () => {
  it('is not exceeded when another node dies with more servers than there is room', async () => {
    const rig = new NodeRig();
    const dying = await rig.node('dying');
    await rig.servers(Array.from({ length: 40 }, (_, index) => `s${index}`));
    expect(dying.host.here.size).toBe(40);
    const [small, other] = [
      await rig.node('small', { capacity: 5 }),
      await rig.node('other', { capacity: 20 }),
    ];
    dying.cluster.connect(false);
    let most = 0;
    for (let step = 0; step < 40; step += 1) {
      await rig.pass(rig.leaseMs / 10);
      most = Math.max(most, small.host.here.size);
    }
    expect(most).toBe(5);
    expect(other.host.here.size).toBe(20);
    const reason = 'every node that may run it is full or is being drained';
    const waiting = [...small.node.places.values()].filter(({ kind }) => kind === 'nowhere');
    expect(waiting).toHaveLength(15);
    expect(waiting[0]).toMatchObject({ reason });
  });
});

describe('a drain', () => {
  it('is over when other nodes may start the servers: their ends are over, and the owners say so', async () => {
    const rig = new NodeRig();
    const owner = await rig.node('a');
    await rig.servers(['one', 'two']);
    await rig.node('b');
    let end: () => void = () => undefined;
    owner.host.ending = new Promise((resolve) => (end = resolve));
    const drained = owner.node.drain();
    await rig.pass(1000);
    expect(await isSettled(drained)).toBe(false);
    expect((await rig.owner('one'))?.node).toBe(owner.id);
    end();
    await drained;
    for (const server of ['one', 'two']) expect((await rig.owner(server))?.node).not.toBe(owner.id);
  });

  it('waits for the servers that the node is taking, and gives them away', async () => {
    const rig = new NodeRig();
    const [a, b] = [await rig.node('a'), await rig.node('b')];
    const names = Array.from({ length: 20 }, (_, index) => `s${index}`);
    const added = rig.servers(names);
    const drained = a.node.drain();
    await Promise.all([added, drained]);
    for (const name of names) expect((await rig.owner(name))?.node).not.toBe(a.id);
    await rig.pass(rig.leaseMs);
    expect(b.host.here.size).toBe(20);
  });

  it('fails with the servers that are left when the cluster does not take the change', async () => {
    const rig = new NodeRig();
    const a = await rig.node('a');
    await rig.servers(['one', 'two']);
    await rig.node('b');
    let end: () => void = () => undefined;
    a.host.ending = new Promise((resolve) => (end = resolve));
    const drained = a.node.drain();
    await rig.pass(100);
    rig.hasNoMajority = true;
    end();
    await expect(drained).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message:
        'Node a still owns 2 servers that another node may run: one, two. The cluster has not taken the change. ' +
        'The node takes no more servers, and gives these away when it can. Drain it again to wait for that.',
    });
    rig.hasNoMajority = false;
    await rig.pass(rig.leaseMs);
    expect((await rig.owner('one'))?.node).toBe('b-1');
  });
});

describe('a server that is removed', () => {
  it('while a node claims it leaves no owner behind', async () => {
    const rig = new NodeRig();
    const a = await rig.node('a');
    const open = await rig.network.join().bucket('servers');
    const revision = await open.create(keyOf('s'), encodeRecord({ spec: {} }));
    // The claim is on its way.
    await Promise.resolve();
    await open.delete(keyOf('s'), revision);
    await rig.pass(rig.leaseMs);
    expect(await rig.owner('s')).toBeUndefined();
    expect(a.host.here.size).toBe(0);
  });

  it('and whose node is gone can be added again, although its failover was "never"', async () => {
    const rig = new NodeRig();
    const [a, b] = [await rig.node('a'), await rig.node('b')];
    await rig.servers(['s'], { failover: 'never', host: 'a' });
    await rig.pass(100);
    a.cluster.connect(false);
    await rig.pass(2 * rig.leaseMs);
    expect(b.node.places.get('s')).toMatchObject({ kind: 'nowhere' });
    expect((await rig.owner('s'))?.name).toBe('a');
    await rig.remove('s');
    await rig.pass(1000);
    expect(await rig.owner('s')).toBeUndefined();
    await rig.servers(['s'], { failover: 'never' });
    await rig.pass(1000);
    expect(b.host.here.has('s')).toBe(true);
  });
});

describe('a node that is gone', () => {
  it('is in no directory after some leases when it owns nothing', async () => {
    const rig = new NodeRig();
    const nodes = [await rig.node('a'), await rig.node('b')];
    const crashing = [];
    for (const start of [1, 2, 3]) crashing.push(await rig.node('c', { id: `c-${start}` }));
    const owner = await rig.node('d');
    await rig.servers(['s'], { failover: 'never', host: 'd' });
    await rig.pass(1000);
    for (const { cluster } of [...crashing, owner]) cluster.connect(false);
    await rig.pass(10 * rig.leaseMs);
    for (const { node } of nodes)
      expect([...node.directory.nodes().keys()].toSorted()).toEqual(['a-1', 'b-1', 'd-1']);
    const late = await rig.node('late');
    expect([...late.node.directory.nodes().keys()]).not.toContain('c-1');
    await rig.remove('s');
    await rig.pass(10 * rig.leaseMs);
    expect([...late.node.directory.nodes().keys()]).not.toContain('d-1');
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
