import { textOf } from '@mcpmux/core/testing/mux-rig';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { processGroup } from '@mcpmux/core/testing/processes';
import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';
import type { Bucket } from './cluster.js';
import type { MemoryCluster } from './memory-network.js';
import { MemoryNetwork } from './memory-network.js';
import { ownerRecord } from './records.js';

async function nodes(...names: readonly string[]): Promise<{ rig: ClusterRig; joined: MemoryCluster[] }> {
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

/** The call succeeds, now or when the server is back. */
async function untilAnswered(call: () => Promise<{ readonly result?: unknown }>): Promise<string> {
  let text = '';
  await expect
    .poll(async () => {
      const { result } = await call();
      const isError = (result as { isError?: boolean } | undefined)?.isError === true;
      text = result === undefined || isError ? '' : textOf(result);
      return text;
    })
    .not.toBe('');
  return text;
}

describe('a cluster of which a node goes', () => {
  it('runs its servers on another node, for clients that are connected, when the node is cut off', async () => {
    const { rig, joined } = await nodes('a', 'b', 'c');
    await using _ = rig;
    const owner = await rig.server('echo');
    const client = await rig.client(rig.otherThan(owner));
    const index = rig.nodes.indexOf(owner);
    joined[index]?.connect(false);
    await expect
      .poll(() => rig.nodes.filter((n) => n !== owner && n.member.node.places.get('echo')?.kind === 'here'))
      .toHaveLength(1);
    const text = await untilAnswered(() => client.call('echo__echo', { message: 'again' }));
    expect(text).toBe('again');
    await expect(client.serverTools()).resolves.toContain('echo__echo');
  });

  it('K1: keeps and moves servers though the clocks of its nodes differ by hours and days', async () => {
    const { rig, joined } = await nodes('a');
    await using _ = rig;
    await rig.node('ahead', { aheadMs: 3_600_000 });
    await rig.node('behind', { aheadMs: -86_400_000 });
    let owner = await rig.server('echo');
    for (let move = 0; move < 3; move += 1) {
      const lost = owner;
      const connection = joined[rig.nodes.indexOf(lost)];
      connection?.connect(false);
      const others = rig.nodes.filter((node) => node !== lost);
      const here = (): RigNode[] =>
        others.filter(({ member }) => member.node.places.get('echo')?.kind === 'here');
      await expect.poll(here).toHaveLength(1);
      [owner = lost] = here();
      connection?.connect(true);
      await expect.poll(() => lost.member.node.places.get('echo')?.kind).toBe('there');
    }
  });

  it('takes its servers at once when the node leaves in order', async () => {
    const { rig } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo');
    const other = rig.otherThan(owner);
    await owner.member.close();
    await expect.poll(() => other.member.node.places.get('echo')?.kind).toBe('here');
    await untilRunning(other.mux, 'echo');
  });

  it('moves the servers of a node that is drained, and answers the calls in flight there', async () => {
    const { rig } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo');
    const client = await rig.client(owner);
    const call = client.call('echo__slow_echo', { message: 'still', delay_ms: 300 });
    await owner.member.drain();
    expect(textOf((await call).result)).toBe('still');
    await expect.poll(() => rig.otherThan(owner).member.node.places.get('echo')?.kind).toBe('here');
    const text = await untilAnswered(() => client.call('echo__echo', { message: 'far now' }));
    expect(text).toBe('far now');
  });

  it('answers the calls that come while a server moves to another node, with the result of the server', async () => {
    const { rig } = await nodes('a', 'b', 'c');
    await using _ = rig;
    const owner = await rig.server('echo');
    const clients = await Promise.all(rig.nodes.map((node) => rig.client(node)));
    const state = { isOver: false };
    const answers = clients.map(async (client, at) => {
      const wrong: string[] = [];
      let [count, late] = [0, 0];
      for (; !state.isOver; count += 1) {
        const { result, error } = await client.call('echo__echo', { message: `${at}.${count}` });
        const text = result === undefined ? JSON.stringify(error) : textOf(result);
        // The call met the end of the link: the server has not got it.
        const isLate = text.startsWith('Server "echo" cannot be reached: its connection has ended.');
        if (isLate) late += 1;
        else if (text !== `${at}.${count}`) wrong.push(text);
      }
      return { wrong, count, late };
    });
    await owner.member.drain();
    const others = rig.nodes.filter((node) => node !== owner);
    const places = (): readonly unknown[] => others.map((node) => node.member.node.places.get('echo')?.kind);
    await expect.poll(places).toContain('here');
    for (const { mux } of rig.nodes) await untilRunning(mux, 'echo');
    state.isOver = true;
    for (const { wrong, count, late } of await Promise.all(answers)) {
      expect(wrong).toEqual([]);
      expect(late).toBeLessThanOrEqual(1);
      expect(count).toBeGreaterThan(late);
    }
  });

  it('has no server left when its drain is over, and owns none, although it hears of its own record later', async () => {
    const network = new MemoryNetwork();
    const held = new HeldWatch();
    const rig = await ClusterRig.open(() => {
      const cluster = network.join();
      return Promise.resolve(rig.nodes.length === 0 ? held.around(cluster) : cluster);
    });
    await using _ = rig;
    const owner = await rig.node('a');
    await rig.server('echo');
    await rig.node('b');
    await expect.poll(() => owner.member.node.directory.nodes().size).toBe(2);
    held.hold('nodes');
    const ended = processGroup(owner.mux.listServers()[0]?.pid ?? 0);
    await owner.member.drain();
    expect(ended.isAlive()).toBe(false);
    expect(owner.member.node.places.get('echo')?.kind).not.toBe('here');
    const record = await (await network.join().bucket('owners')).get('echo');
    const named = record && ownerRecord(record.value)?.node;
    expect(named).not.toBe('a-0');
    held.release();
  });

  it('numbers the runs of a server upwards, also after its owner has given it away', async () => {
    const { rig } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo');
    const other = rig.otherThan(owner);
    const epochAt = ({ member }: typeof owner): number => {
      const place = member.node.places.get('echo');
      return place?.kind === 'here' ? place.epoch : 0;
    };
    const first = epochAt(owner);
    await owner.member.drain();
    await expect.poll(() => epochAt(other)).toBeGreaterThan(first);
    const second = epochAt(other);
    await other.member.close();
    const third = await rig.node('c');
    await expect.poll(() => epochAt(third)).toBeGreaterThan(second);
  });

  it('leaves a server with failover "never" to the next node of that name', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo', { failover: 'never' });
    const other = rig.otherThan(owner);
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    await expect
      .poll(() => other.member.node.places.get('echo'))
      .toMatchObject({
        kind: 'nowhere',
        reason:
          `its node ${owner.name} is gone, and failover is "never": it waits for a node of that name, ` +
          'and another node may run it when it is removed and added again',
      });
    const back = await rig.node(owner.name);
    await expect.poll(() => back.member.node.places.get('echo')?.kind).toBe('here');
  });

  it('answers calls to such a server with the reason, until its node is back', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo', { failover: 'never' });
    const client = await rig.client(rig.otherThan(owner));
    expect(textOf((await client.call('echo__echo', { message: 'before' })).result)).toBe('before');
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    const answer = async (): Promise<unknown> => (await client.call('echo__echo', { message: 'x' })).result;
    await expect.poll(async () => textOf(await answer())).toContain(`its node ${owner.name} is gone`);
    await rig.node(owner.name);
    const text = await untilAnswered(() => client.call('echo__echo', { message: 'after' }));
    expect(text).toBe('after');
  });

  it('runs such a server elsewhere when a client of another node has removed and added it', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo', { failover: 'never' });
    const other = rig.otherThan(owner);
    joined[rig.nodes.indexOf(owner)]?.connect(false);
    await expect.poll(() => other.member.node.places.get('echo')?.kind).toBe('nowhere');
    const client = await rig.client(other);
    expect(textOf((await client.call('remove_server', { name: 'echo' })).result)).toContain('"removed":true');
    await expect.poll(() => other.member.node.directory.owners.has('echo')).toBe(false);
    const { command, args } = fixtureCommand('echo');
    await other.member.publish('echo', { spec: { command, args }, failover: 'never' }, true);
    await untilRunning(other.mux, 'echo');
    expect(other.member.node.places.get('echo')?.kind).toBe('here');
  });
});

describe('a node that is cut off', () => {
  it('goes on with its own servers, and refuses changes to the cluster', async () => {
    const { rig, joined } = await nodes('a');
    await using _ = rig;
    const owner = await rig.server('echo');
    joined[0]?.connect(false);
    await expect.poll(() => owner.member.node.isMember).toBe(false);
    const client = await rig.client(owner);
    expect(textOf((await client.call('echo__echo', { message: 'alone' })).result)).toBe('alone');
    await expect(owner.member.publish('other', { spec: {} }, true)).rejects.toThrow(
      /no connection to the cluster/,
    );
  });

  it('does not start its singletons again when it is back before it has heard that others have taken them', async () => {
    const network = new MemoryNetwork();
    const held = new HeldWatch();
    const rig = await ClusterRig.open(() => {
      const cluster = network.join();
      return Promise.resolve(rig.nodes.length === 0 ? held.around(cluster) : cluster);
    });
    await using _ = rig;
    const owner = await rig.node('a');
    await rig.server('echo', { singleton: true });
    const other = await rig.node('b');
    held.hold('owners');
    held.cluster?.connect(false);
    await expect.poll(() => other.member.node.places.get('echo')?.kind).toBe('here');
    let starts = 0;
    const isHere = (): boolean => owner.member.node.places.get('echo')?.kind === 'here';
    owner.mux.on('server:added', () => (starts += Number(isHere())));
    held.cluster?.connect(true);
    await expect.poll(() => owner.member.node.isMember).toBe(true);
    expect(owner.member.node.places.get('echo')?.kind).toBe('there');
    held.release();
    expect(starts).toBe(0);
  });

  it('gives up the servers that others have taken meanwhile when it is back', async () => {
    const { rig, joined } = await nodes('a', 'b');
    await using _ = rig;
    const owner = await rig.server('echo');
    const other = rig.otherThan(owner);
    const link = joined[rig.nodes.indexOf(owner)];
    link?.connect(false);
    await expect.poll(() => other.member.node.places.get('echo')?.kind).toBe('here');
    expect(owner.member.node.places.get('echo')?.kind).toBe('here');
    link?.connect(true);
    await expect.poll(() => owner.member.node.places.get('echo')?.kind).toBe('there');
    const client = await rig.client(owner);
    const text = await untilAnswered(() => client.call('echo__echo', { message: 'far' }));
    expect(text).toBe('far');
  });
});

/** A connection of which the watch of one bucket can be late. */
class HeldWatch {
  cluster: MemoryCluster | undefined;
  private name = '';
  private readonly late: (() => void)[] = [];

  around(cluster: MemoryCluster): MemoryCluster {
    this.cluster = cluster;
    const open = cluster.bucket.bind(cluster);
    cluster.bucket = async (name, options) => {
      const bucket = await open(name, options);
      const watch: Bucket['watch'] = (onChange) =>
        bucket.watch((change) => {
          if (this.name === name) this.late.push(() => onChange(change));
          else onChange(change);
        });
      return { ...bucket, watch };
    };
    return cluster;
  }

  hold(name: string): void {
    this.name = name;
  }

  release(): void {
    this.name = '';
    for (const report of this.late.splice(0)) report();
  }
}

describe('the place of a server', () => {
  it('is a node with its labels, and the node of its pin', async () => {
    const network = new MemoryNetwork();
    await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
    const [plain, gpu] = [await rig.node('plain'), await rig.node('gpu', { labels: ['gpu'] })];
    expect(await rig.server('echo', { labels: ['gpu'] })).toBe(gpu);
    expect(await rig.server('progress', { host: 'plain' })).toBe(plain);
  });

  it('is no node that is full, and one that has room when there is one', async () => {
    const network = new MemoryNetwork();
    await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
    const small = await rig.node('small', { capacity: 0 });
    await small.member.publish('echo', { spec: { command: 'false' } }, true);
    await expect
      .poll(() => small.member.node.places.get('echo'))
      .toMatchObject({ reason: 'every node that may run it is full or is being drained' });
    const roomy = await rig.node('roomy');
    await expect.poll(() => roomy.member.node.places.get('echo')?.kind).toBe('here');
  });

  it('is a node that has room for one more, and not for two', async () => {
    const network = new MemoryNetwork();
    await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
    const one = await rig.node('one', { capacity: 1 });
    await rig.server('echo');
    await one.member.publish('progress', { spec: fixtureCommand('progress') }, true);
    await expect
      .poll(() => one.member.node.places.get('progress'))
      .toMatchObject({ reason: 'every node that may run it is full or is being drained' });
    expect(one.member.node.places.get('echo')?.kind).toBe('here');
    await one.member.unpublish('echo');
    await untilRunning(one.mux, 'progress');
  });

  it('is told to clients that use a server which no node can run', async () => {
    const { rig } = await nodes('a');
    await using _ = rig;
    const [node] = rig.nodes;
    await node?.member.publish('echo', { spec: {}, host: 'nobody' }, true);
    await expect
      .poll(() => node?.mux.listServers()[0]?.last_error?.message ?? '')
      .toContain('no node named nobody');
  });
});
