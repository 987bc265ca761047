import { seededRandom } from '@mcpmux/testing/seeded-random';
import { describe, expect, it } from 'vitest';

import type { Sent } from './cluster-clients.js';
import { DECK, faults } from './cluster-faults.js';
import { brokenPresence } from './cluster-presence.js';
import { brokenRefusals, refusals } from './cluster-refusals.js';
import {
  brokenEffects,
  brokenEnd,
  brokenOverlaps,
  brokenRegistry,
  brokenRequests,
  brokenRuns,
  brokenService,
  brokenStatuses,
  storeLines,
  type Absence,
  type FaultTime,
} from './cluster-rules.js';

const sent = (more: Partial<Sent>): Sent => ({
  nonce: 'c0.1',
  server: 's0',
  node: 'a',
  sessionNode: undefined,
  sentAt: 100,
  endedAt: 200,
  outcome: 'answered',
  detail: '',
  ...more,
});

const during = (node: string, kind: Absence['kind'] = 'dead'): readonly Absence[] => [
  { node, kind, from: 150, until: 160 },
];

const faultOf = (fault: string, from = 150, until = 160): readonly FaultTime[] => [{ fault, from, until }];

describe('the rules of a cluster under faults', () => {
  it('accept a run in which nothing is wrong', () => {
    const lines = storeLines(
      's0 5 10 start\ns0 5 10 effect:c0.1\ns0 5 11 start\ns0 7 12 start\ns0 5 11 effect:late\n',
    );
    const opened = sent({ nonce: 'c0.0', server: '' });
    expect(brokenRequests([opened, sent({})], [])).toEqual([]);
    expect(brokenStatuses([opened, sent({ status: 200 })], [], [])).toEqual([]);
    expect(brokenService([opened, sent({})], [])).toEqual([]);
    expect(brokenEffects([opened, sent({})], lines)).toEqual([]);
    expect(brokenRuns(lines)).toEqual([]);
    expect(brokenOverlaps(lines, [])).toEqual([]);
    expect(brokenRegistry([{ name: 's0', node: 'a', epoch: 7 }], lines)).toEqual([]);
    expect(brokenEnd({ nodes: [{ node: 'a', figures: { sessions: 0 } }], owners: [] })).toEqual([]);
  });

  it('find an answer of another request, whatever was away', () => {
    expect(brokenRequests([sent({ outcome: 'crossed' })], during('a'))).toHaveLength(1);
  });

  it('find a request without an answer, unless its node or the node of its session was away', () => {
    const lost = sent({ outcome: 'lost', sessionNode: 'b' });
    expect(brokenRequests([lost], [])).toHaveLength(1);
    expect(brokenRequests([lost], during('c'))).toHaveLength(1);
    expect(brokenRequests([lost], [{ node: 'a', kind: 'dead', from: 201, until: 300 }])).toHaveLength(1);
    expect(brokenRequests([lost], during('a', 'ending'))).toHaveLength(1);
    expect(brokenRequests([lost], during('a'))).toEqual([]);
    expect(brokenRequests([lost], during('b', 'paused'))).toEqual([]);
  });

  it.each([404, 500, 502])('find the status %i of a node that was there, as most of NATS was', (status) => {
    const blamed = sent({ outcome: 'refused', status });
    expect(brokenStatuses([blamed], [], [])).toHaveLength(1);
    expect(brokenStatuses([blamed], during('b'), faultOf('kill node'))).toHaveLength(1);
    expect(brokenStatuses([blamed], during('a'), [])).toEqual([]);
    expect(brokenStatuses([blamed], [], faultOf('pause most of nats'))).toEqual([]);
    expect(brokenStatuses([blamed], [], faultOf('kill nats'))).toHaveLength(status === 502 ? 0 : 1);
    expect(brokenStatuses([sent({ outcome: 'refused', status: 503 })], [], [])).toEqual([]);
  });

  it('find a session that a node has lost which was there since the session was opened', () => {
    const unknown = sent({ outcome: 'refused', status: 404, sessionNode: 'b', sessionSince: 50 });
    const before = { node: 'b', kind: 'dead', from: 10, until: 20 } as const;
    expect(brokenStatuses([unknown], [before], [])).toHaveLength(1);
    expect(brokenStatuses([unknown], [{ ...before, until: 60 }], [])).toEqual([]);
    expect(brokenStatuses([unknown], [{ ...before, kind: 'ending', until: 60 }], [])).toEqual([]);
  });

  it('find a cluster that answers fewer than half of the requests while nothing is broken', () => {
    const requests = [sent({}), sent({ outcome: 'refused' }), sent({ outcome: 'refused' })];
    const [found] = brokenService(requests, []);
    expect(found).toBe('1 of 3 requests outside of faults were answered');
    expect(brokenService(requests.slice(1), faultOf('kill node'))).toEqual([
      '0 of 0 requests outside of faults were answered',
    ]);
    expect(brokenService(requests.slice(0, 2), [])).toEqual([]);
    expect(brokenService([...requests, sent({ sentAt: 500, endedAt: 501 })], faultOf('kill node'))).toEqual(
      [],
    );
  });

  it('find an effect that came twice, and an answer without its effect', () => {
    const lines = storeLines('s0 5 10 start\ns0 5 10 effect:c0.1\ns0 7 12 effect:c0.1\n');
    expect(brokenEffects([], lines)).toEqual(['c0.1 was done twice']);
    expect(brokenEffects([sent({ nonce: 'c0.2' })], lines)).toContain('c0.2 was answered and not done');
  });

  it('find an answer to a call whose effect came after one of a newer epoch', () => {
    const lines = storeLines('s0 7 12 start\ns0 5 10 effect:c0.1\n');
    expect(brokenEffects([sent({})], lines)).toEqual(['c0.1 was answered and not done']);
  });

  it('find two runs of one epoch at one time', () => {
    const text = 's0 5 10 start\ns0 5 11 start\ns0 5 10 effect:c0.1\n';
    expect(brokenRuns(storeLines(text))).toEqual(['two runs of s0 in epoch 5: 10 and 11']);
  });

  it('find a run that starts while another one is alive, unless the node of that one was stopped', () => {
    const lines = storeLines('s0 5 10 start 50 a\ns0 7 12 start 155 b\ns0 7 12 overlap:10 155 b\n');
    const [found] = brokenOverlaps(lines, []);
    expect(found).toBe('at 155 s0 started on b in epoch 7 as 12, and 10 of a was alive');
    expect(brokenOverlaps(lines, during('b', 'paused'))).toHaveLength(1);
    expect(brokenOverlaps(lines, during('a', 'dead'))).toHaveLength(1);
    expect(brokenOverlaps(lines, [{ node: 'a', kind: 'paused', from: 10, until: 20 }])).toHaveLength(1);
    expect(brokenOverlaps(lines, during('a', 'paused'))).toEqual([]);
  });

  it('find a registry that says something else than what runs', () => {
    const lines = storeLines('s0 5 10 start\n');
    expect(brokenRegistry([{ name: 's0', node: 'a', epoch: 6 }], lines)).toHaveLength(1);
    expect(brokenRegistry([{ name: 's0', node: null, epoch: 5 }], lines)).toHaveLength(1);
  });

  it('find sessions, servers, links and owners that are left at the end', () => {
    const figures = { sessions: 2, cluster_links: 1, cluster_servers_here: Number.NaN };
    expect(brokenEnd({ nodes: [{ node: 'a', figures }], owners: ['s0'] })).toEqual([
      'node a has 2 sessions left',
      'node a has 1 cluster_links left',
      'node a has NaN cluster_servers_here left',
      's0 was removed and has an owner',
    ]);
  });
});

describe('the faults of a run', () => {
  it.each([1, 2, 3, 4, 5])('of seed %i are of every kind, and last half a minute at the most', (seed) => {
    const planned = faults(seededRandom(seed), DECK.length);
    expect(new Set(DECK).size).toBe(8);
    expect(planned.map(({ fault }) => fault).toSorted()).toEqual(DECK.toSorted());
    expect(planned.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(30_000);
  });
});

describe('a refusal', () => {
  const refused = sent({ outcome: 'refused', status: 200, detail: 'Server "s0" cannot be reached: gone.' });
  const start = (at: number, node = 'a') => storeLines(`s0 5 10 start ${at} ${node}\n`);
  const calm = { away: [], faults: [], lines: start(-60_000) };

  it('is found while nothing is away', () => {
    expect(brokenRefusals([refused], calm)).toHaveLength(1);
    expect(brokenRefusals([refused], { ...calm, away: during('c') })).toHaveLength(1);
    expect(brokenRefusals([refused], { ...calm, faults: faultOf('kill server') })).toHaveLength(1);
  });

  it('is excused by its node, by NATS and by its session', () => {
    expect(brokenRefusals([refused], { ...calm, away: during('a', 'paused') })).toEqual([]);
    expect(brokenRefusals([refused], { ...calm, faults: faultOf('pause nats') })).toEqual([]);
    const later = { ...refused, sessionNode: 'b', sessionSince: 10, sentAt: 5000, endedAt: 5001 };
    expect(brokenRefusals([later], { ...calm, away: during('b') })).toEqual([]);
    expect(brokenRefusals([{ ...later, sessionSince: 4000 }], { ...calm, away: during('b') })).toHaveLength(
      1,
    );
  });

  it('is excused while its server runs nowhere, until it has started again', () => {
    const late = { ...refused, sentAt: 90_000, endedAt: 90_001 };
    const lost = { ...calm, lines: start(0, 'b'), away: during('b') };
    expect(brokenRefusals([late], lost)).toEqual([]);
    expect(brokenRefusals([late], { ...lost, away: during('b', 'paused') })).toHaveLength(1);
    expect(brokenRefusals([late], { ...lost, lines: [...lost.lines, ...start(50_000)] })).toHaveLength(1);
    expect(brokenRefusals([late], { ...calm, lines: start(100_000) })).toEqual([]);
    expect(brokenRefusals([late], { ...calm, lines: start(120_000) })).toHaveLength(1);
  });

  it('without a reason is found, whatever was away, and is counted', () => {
    const odd = { ...refused, detail: 'Server "s0" is odd.' };
    expect(brokenRefusals([odd], { ...calm, away: during('a') })).toHaveLength(1);
    expect(refusals([odd, refused, refused, sent({})])).toEqual({ unknown: 1, unreachable: 2 });
  });
});

describe('the servers of agents', () => {
  const lists = (...servers: readonly (readonly string[])[]) =>
    servers.map((names, index) => ({ node: `n${index}`, servers: names }));

  it('are on all nodes or on none, and as their agents were told', () => {
    const presence = new Map([
      ['x', 'there'],
      ['y', 'absent'],
      ['z', 'unknown'],
    ] as const);
    expect(brokenPresence(presence, lists(['x'], ['x']))).toEqual([]);
    expect(brokenPresence(presence, lists(['x', 'z'], ['x', 'z']))).toEqual([]);
    expect(brokenPresence(presence, lists(['x', 'z'], ['x']))).toEqual(['z is on n0 of 2 nodes']);
    expect(brokenPresence(presence, lists([], []))).toEqual(['x was added, and no node has it']);
    expect(brokenPresence(presence, lists(['x', 'y'], ['x', 'y']))).toEqual([
      'y was removed, and all nodes have it',
    ]);
  });
});
