import type { Guard } from '@mcpmux/core';
import { type CountKey, rateLimit } from '@mcpmux/core/guards';
import { lone } from '@mcpmux/core/testing/stateless-call';
import { MuxClient } from '@mcpmux/core/testing/mux-client';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { describe, expect, it } from 'vitest';

import { ClusterRig, type RigNode } from './testing/cluster-rig.js';
import { MemoryNetwork } from './memory-network.js';

const ANN = { id: 'ann', roles: ['dev'], rights: [] };
const BOB = { id: 'bob', roles: ['dev'], rights: [] };
const BURST = 5;

/** Three nodes with the same limits, and the node that runs the server. The time of the limits stands still. */
async function limited(by: readonly CountKey[], roles?: readonly string[]): Promise<[ClusterRig, RigNode]> {
  const network = new MemoryNetwork();
  const rig = await ClusterRig.open(() => Promise.resolve(network.join()));
  for (const name of ['a', 'b', 'c']) await rig.node(name);
  const clock = new ManualClock();
  for (const { mux } of rig.nodes)
    mux.use(rateLimit({ perSecond: 1, burst: BURST, by, clock, servers: ['echo'], roles }));
  return [rig, await rig.server('echo')];
}

/** How many of so many calls on each node, all of them at once, were carried out. */
async function carriedOut(rig: ClusterRig, calls: number, principal = ANN): Promise<number> {
  const call = { name: 'echo__echo', arguments: { message: 'm' } };
  const all = rig.nodes.flatMap((node) =>
    Array.from({ length: calls }, () => lone(node, call, principal).then(() => true, limitedOnly)),
  );
  return (await Promise.all(all)).filter(Boolean).length;
}

function limitedOnly(error: unknown): boolean {
  if (!String(error).includes('Too many calls')) throw error;
  return false;
}

describe('A7: a rate limit in a cluster', () => {
  it('per server is exact on the node that runs the server, whatever nodes calls come by', async () => {
    const [open] = await limited(['server']);
    await using rig = open;
    expect(await carriedOut(rig, BURST)).toBe(BURST);
    expect(await carriedOut(rig, 1, BOB)).toBe(0);
  });

  it('per caller is exact for the servers of one node, and counts each caller alone', async () => {
    const [open] = await limited(['principal'], ['dev']);
    await using rig = open;
    expect(await carriedOut(rig, BURST)).toBe(BURST);
    expect(await carriedOut(rig, BURST, BOB)).toBe(BURST);
    expect(await carriedOut(rig, 1)).toBe(0);
  });

  it('per caller counts clients with a session as well', async () => {
    const [open, owner] = await limited(['principal', 'server']);
    await using rig = open;
    const others = rig.nodes.filter((node) => node !== owner);
    for (const { mux } of others) {
      const client = await MuxClient.initialized(mux, {}, { principal: ANN });
      for (let call = 0; call < 2; call += 1)
        expect((await client.call('echo__echo', { message: 'm' })).error).toBeUndefined();
    }
    expect(await carriedOut(rig, BURST)).toBe(BURST - 4);
  });

  it('is not evaded by a client that names another principal', async () => {
    const [open] = await limited(['principal']);
    await using rig = open;
    const named = (count: number): object => ({
      'io.modelcontextprotocol/clientInfo': {
        name: 't',
        version: '1',
        principal: { id: `p${count}`, roles: [] },
      },
    });
    const call = { name: 'echo__echo', arguments: { message: 'm' } };
    const all = rig.nodes.flatMap((node) =>
      Array.from({ length: BURST }, (_, count) =>
        lone(node, call, ANN, named(count)).then(() => true, limitedOnly),
      ),
    );
    expect((await Promise.all(all)).filter(Boolean)).toHaveLength(BURST);
  });
});

describe('a guard on the node that runs a server', () => {
  it('is told the principal of each call, and the server is not', async () => {
    const network = new MemoryNetwork();
    await using rig = await ClusterRig.open(() => Promise.resolve(network.join()));
    for (const name of ['a', 'b']) await rig.node(name);
    const owner = await rig.server('modern-asking');
    const seen: unknown[] = [];
    const guard: Guard = {
      methods: ['tools/call'],
      handle: ({ principal }, next) => {
        seen.push(principal);
        return next();
      },
    };
    owner.mux.use(guard);
    await lone(rig.otherThan(owner), { name: 'modern-asking__form', arguments: {} }, ANN);
    await lone(rig.otherThan(owner), { name: 'modern-asking__form', arguments: {} });
    expect(seen).toEqual([
      { id: 'ann', roles: ['dev'], rights: [] },
      { id: 'local', roles: [], rights: [] },
    ]);
  });
});
