import type { PinMode } from '@mcpmux/core';
import { textOf } from '@mcpmux/core/testing/mux-rig';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, it } from 'vitest';

import { ClusterRig, untilRunning, type RigNode } from './testing/cluster-rig.js';
import { MemoryNetwork } from './memory-network.js';

async function nodes(pinTools: PinMode, ...names: readonly string[]): Promise<ClusterRig> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  for (const name of names) await rig.node(name, { pinTools });
  return rig;
}

function statusOf({ mux }: RigNode) {
  return mux.listServers().find(({ name }) => name === 'echo');
}

describe('the pinned tools of a server of a cluster', () => {
  it('are the approved ones when the server moves to this node, and when it moves away again', async () => {
    await using rig = await nodes('block', 'a', 'b');
    const first = await rig.server('echo');
    const second = rig.otherThan(first);
    const clients = [await rig.client(first), await rig.client(second)];
    await first.member.drain();
    await expect.poll(() => second.member.node.places.get('echo')?.kind).toBe('here');
    for (const { mux } of rig.nodes) await untilRunning(mux, 'echo');
    for (const client of clients)
      await expect
        .poll(async () => {
          const { result } = await client.call('echo__echo', { message: 'moved' });
          return result === undefined ? undefined : textOf(result);
        })
        .toBe('moved');
    for (const node of rig.nodes) {
      expect(statusOf(node)).not.toHaveProperty('blocked_tools');
      expect(statusOf(node)).not.toHaveProperty('warnings');
    }
  });

  it('are blocked for clients of all nodes when the cluster runs another command, until one node approves', async () => {
    await using rig = await nodes('block', 'a', 'b');
    const owner = await rig.server('echo');
    const other = rig.otherThan(owner);
    const clients = [await rig.client(owner), await rig.client(other)];
    const { command, args } = fixtureCommand('echo');
    await owner.member.publish('echo', { spec: { command, args, env: { OTHER: '1' } } }, true);
    await expect.poll(() => Object.keys(statusOf(owner)?.blocked_tools ?? {})).toHaveLength(2);
    for (const client of clients) await expect.poll(() => client.serverTools()).toEqual([]);
    await other.mux.reloadServer('echo', { approve: true });
    for (const client of clients) {
      await expect.poll(() => client.serverTools()).toContain('echo__echo');
      const { result } = await client.call('echo__echo', { message: 'approved' });
      expect(textOf(result)).toBe('approved');
    }
  });

  it('are not reported as those of another command when the server moves', async () => {
    await using rig = await nodes('warn', 'a', 'b');
    const first = await rig.server('echo');
    const second = rig.otherThan(first);
    const warnings: string[] = [];
    for (const { mux } of rig.nodes) mux.on('audit', ({ rule }) => warnings.push(rule));
    await first.member.drain();
    await expect.poll(() => second.member.node.places.get('echo')?.kind).toBe('here');
    const client = await rig.client(first);
    await expect.poll(async () => (await client.call('echo__echo', { message: '' })).result).toBeDefined();
    expect(warnings.filter((rule) => rule.startsWith('pin'))).toEqual([]);
    for (const node of rig.nodes) expect(statusOf(node)?.changed_tools ?? []).toEqual([]);
  });
});
