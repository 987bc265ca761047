import { describe, expect, it } from 'vitest';

import { candidatesFor, decide, noOwnerReason, type NodeView, type PlacementView } from './placement.js';
import type { NodeRecord } from './records.js';

function nodes(...records: readonly (Partial<NodeRecord> & { id: string; isAlive?: boolean })[]) {
  return new Map(
    records.map(({ id, isAlive = true, ...record }): [string, NodeView] => {
      const defaults = {
        name: id,
        labels: [],
        capacity: 10,
        isDraining: false,
        servers: 0,
        version: '1',
        started: '',
      };
      return [id, { id, isAlive, record: { ...defaults, ...record } }];
    }),
  );
}

function view(more: Partial<PlacementView>): PlacementView {
  return {
    server: 's',
    rules: {},
    owner: undefined,
    nodes: nodes({ id: 'a' }, { id: 'b' }, { id: 'c' }),
    me: 'a',
    expiredClaimDelays: 0,
    ...more,
  };
}

describe('placement', () => {
  it('is the same for every node: exactly one claims a server without an owner', () => {
    for (let count = 0; count < 100; count += 1) {
      const claims = ['a', 'b', 'c'].filter(
        (me) => decide(view({ me, server: `s${count}` })).kind === 'claim',
      );
      expect(claims).toHaveLength(1);
    }
  });

  it('spreads servers over nodes, and moves few of them when a node comes', () => {
    const first = (server: string, all: ReadonlyMap<string, NodeView>): string | undefined =>
      candidatesFor(view({ server, nodes: all }))[0]?.id;
    const three = nodes({ id: 'a' }, { id: 'b' }, { id: 'c' });
    const four = nodes({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
    const servers = Array.from({ length: 1000 }, (_, index) => `server-${index}`);
    for (const id of ['a', 'b', 'c']) {
      const count = servers.filter((server) => first(server, three) === id).length;
      expect(count).toBeGreaterThan(250);
      expect(count).toBeLessThan(420);
    }
    const moved = servers.filter((server) => first(server, three) !== first(server, four));
    expect(moved.length).toBeLessThan(330);
    expect(moved.every((server) => first(server, four) === 'd')).toBe(true);
  });

  it('leaves a server where it is as long as its node lives, also without capacity', () => {
    const owner = { node: 'a', name: 'a', epoch: 1 };
    const full = nodes({ id: 'a', capacity: 1, servers: 1 }, { id: 'b' });
    for (const me of ['a', 'b']) expect(decide(view({ me, owner, nodes: full }))).toEqual({ kind: 'stay' });
  });

  it('gives the next node its turn when the first one does not claim', () => {
    const [first, second] = candidatesFor(view({})).map(({ id }) => id);
    expect(decide(view({ me: second ?? '' }))).toEqual({ kind: 'stay' });
    expect(decide(view({ me: second ?? '', expiredClaimDelays: 1 })).kind).toBe('claim');
    expect(decide(view({ me: first ?? '' })).kind).toBe('claim');
  });

  it('releases a server of a node that is drained, if another node may run it', () => {
    const owner = { node: 'a', name: 'a', epoch: 4 };
    const two = nodes({ id: 'a', isDraining: true }, { id: 'b' });
    expect(decide(view({ owner, nodes: two }))).toEqual({ kind: 'release', owner });
    expect(decide(view({ owner, nodes: two, rules: { host: 'a' } }))).toEqual({ kind: 'stay' });
    expect(decide(view({ owner, nodes: two, rules: { failover: 'never' } }))).toEqual({ kind: 'stay' });
  });

  it('says why no node runs a server', () => {
    expect(noOwnerReason(view({ rules: { host: 'x' } }))).toBe('no node named x is there');
    expect(noOwnerReason(view({ rules: { labels: ['gpu'] } }))).toBe('no node has the labels gpu');
    expect(noOwnerReason(view({ nodes: nodes({ id: 'a', capacity: 0 }) }))).toContain('full');
    expect(noOwnerReason(view({}))).toBe('the cluster is choosing a node for it');
  });
});
