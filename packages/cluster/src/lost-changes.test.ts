import { describe, expect, it } from 'vitest';

import { NodeRig } from './testing/node-rig.js';
import { encodeRecord, keyOf, nodeRecord } from './records.js';

describe('a watch that loses changes', () => {
  it('of the signs of life of a node that dies keeps no server from its failover', async () => {
    const rig = new NodeRig();
    const a = await rig.node('a');
    await rig.servers(['one', 'two']);
    const b = await rig.node('b');
    await rig.pass(1000);
    rig.isLost = (node, bucket, key) => node === 'b' && bucket === 'nodes' && key === a.id;
    await rig.pass(rig.leaseMs / 2);
    a.cluster.connect(false);
    await rig.pass(3 * rig.leaseMs);
    expect([...b.host.here]).toEqual(['one', 'two']);
  });

  it('of the signs of life of a node that lives takes no server from it', async () => {
    const rig = new NodeRig();
    const a = await rig.node('a');
    await rig.servers(['one', 'two']);
    const b = await rig.node('b');
    rig.isLost = (node, bucket, key) => node === 'b' && bucket === 'nodes' && key === a.id;
    await rig.pass(5 * rig.leaseMs);
    expect([...b.host.here]).toEqual([]);
    expect((await rig.owner('one'))?.node).toBe(a.id);
  });

  it('of the owner of a server whose node dies keeps the server from no failover', async () => {
    const rig = new NodeRig();
    const a = await rig.node('a');
    const b = await rig.node('b');
    await rig.pass(1000);
    rig.isLost = (_, bucket, key) => bucket === 'owners' && key === keyOf('s');
    await rig.servers(['s'], { labels: [] });
    await rig.pass(1000);
    rig.isLost = () => false;
    const owner = (await rig.owner('s'))?.node;
    const [dying, other] = owner === a.id ? [a, b] : [b, a];
    dying.cluster.connect(false);
    await rig.pass(3 * rig.leaseMs);
    expect([...other.host.here]).toEqual(['s']);
  });
});

it('a copy of the bucket that has lost the last signs of life of a dead node keeps no server from its failover', async () => {
  const rig = new NodeRig();
  const a = await rig.node('a');
  await rig.servers(['one', 'two']);
  const b = await rig.node('b');
  await rig.pass(rig.leaseMs);
  a.cluster.connect(false);
  await rig.pass(100);
  rig.isLost = (node, bucket, key) => node === 'b' && bucket === 'nodes' && key === a.id;
  const nodes = await rig.network.join().bucket('nodes');
  const { value, revision } = (await nodes.get(a.id)) ?? { value: new Uint8Array(), revision: 0 };
  const record = nodeRecord(value);
  if (record === undefined) throw new Error('the node has no record');
  await nodes.update(a.id, encodeRecord({ ...record, renewal: record.renewal - 1 }), revision);
  await rig.pass(2 * rig.leaseMs);
  expect([...b.host.here]).toEqual(['one', 'two']);
});

describe('whether a node is gone', () => {
  it('is what its lease says, and unknown to a node that is cut off', async () => {
    const rig = new NodeRig();
    const [a, b] = [await rig.node('a'), await rig.node('b')];
    await rig.pass(100);
    expect(await a.node.isGone(b.id)).toBe(false);
    expect(await a.node.isGone('never-1')).toBe(true);
    b.cluster.connect(false);
    await rig.pass(rig.leaseMs / 2);
    expect(await a.node.isGone(b.id)).toBe(false);
    await rig.pass(rig.leaseMs);
    expect(await a.node.isGone(b.id)).toBe(true);
    expect(await b.node.isGone(a.id)).toBeUndefined();
  });

  it('is read from the cluster when the directory does not have the node', async () => {
    const rig = new NodeRig();
    const [a, b] = [await rig.node('a'), await rig.node('b')];
    await rig.pass(100);
    a.node.directory.forgetNode(b.id);
    expect(await a.node.isGone(b.id)).toBe(false);
    rig.hasNoMajority = true;
    expect(await a.node.isGone(b.id)).toBeUndefined();
  });
});
